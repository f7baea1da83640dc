"""Peak memory of one AUC in a process of its own: ``python -m benchmarks.memory ROWS DTYPE``.

Prints bytes as JSON: ``input``, the labels and scores, and ``peak``, all that the process held.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

import fastmetrics as fm
from benchmarks.data import SEED

CHUNK = 1_000_000


def peak_bytes() -> int:
    """The most memory that this process has held."""
    status = Path("/proc/self/status")
    if status.exists():
        # not ru_maxrss: on Linux a child starts with the peak of the process that forked it
        fields = dict(line.split(":", 1) for line in status.read_text().splitlines())
        return int(fields["VmHWM"].split()[0]) * 1024
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def main(rows: int, dtype: str) -> None:
    """Make data in place, chunk by chunk, and rank them."""
    generator = np.random.default_rng(SEED)
    labels, scores = np.empty(rows, dtype), np.empty(rows)
    for start in range(0, rows, CHUNK):
        chunk = scores[start : start + CHUNK]
        generator.random(out=chunk)
        # a row is positive with the probability of its score: AUC 5/6
        labels[start : start + CHUNK] = generator.random(chunk.size) < chunk
    area = fm.roc_auc_score(labels, scores)
    if abs(area - 5 / 6) > 5 / rows**0.5:
        raise AssertionError(f"AUC {area} is not 5/6")
    print(json.dumps({"input": labels.nbytes + scores.nbytes, "peak": peak_bytes()}))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
