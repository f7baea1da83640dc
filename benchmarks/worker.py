"""Runs one rival in a process of its own: reads requests from stdin, answers on stdout.

A request is a line of JSON with ``n_resamples`` and ``calls``. No calls ask for the answer, calls
for the seconds of each.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from typing import Any

import numpy as np

from benchmarks.cases import ratio_case
from benchmarks.timing import seconds_per_call


def use_one_core() -> None:
    """Keep every thread of this process on one core, whatever pools it makes."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def serve(case_name: str, rival_name: str, size_name: str) -> None:
    """Answer requests until stdin ends."""
    case = ratio_case(case_name)
    rival = next(rival for rival in case.rivals if rival.name == rival_name)
    problem = case.prepare(case.size(size_name == "full"))
    # what a rival prints must not get between the replies
    replies, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        request = json.loads(line)
        reply: dict[str, Any]
        try:
            call = rival.bind(problem, request["n_resamples"])
            if request["calls"]:
                reply = {"seconds": seconds_per_call(call, request["calls"])}
            else:
                reply = {"answer": np.asarray(call(), dtype=np.float64).tolist()}
        except Exception:  # whatever it is, the process that asked reports it
            reply = {"error": traceback.format_exc()}
        print(json.dumps(reply), file=replies, flush=True)


def first_call(case_name: str) -> float:
    """Seconds of the first call of ours in this process."""
    case = ratio_case(case_name)
    call = case.ours(case.prepare(case.full), 1)
    return seconds_per_call(call)


if __name__ == "__main__":
    if "--one-core" in sys.argv:
        use_one_core()
    serve(*sys.argv[1:4])
