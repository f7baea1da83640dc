"""Running a notebook without Jupyter: its cells in one namespace, their outputs as it stores them.

`python -m tests.examples.notebooks` runs the notebooks of examples/ and stores what comes out.
"""

import ast
import base64
import contextlib
import io
import json
import sys

from tests.examples.programs import EXAMPLES, beside


def read(file):
    return json.loads(file.read_text(encoding="utf-8"))


def source_of(cell):
    return "".join(cell["source"])


def run(notebook, folder):
    """The outputs of every code cell, run from the folder of the notebook."""
    import matplotlib

    namespace = {"__name__": "__main__"}
    with matplotlib.rc_context({"backend": "agg"}), beside(folder):
        figures()  # those that others left open are not the notebook's
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        return [run_cell(source_of(cell), namespace, k + 1) for k, cell in enumerate(cells)]


def run_cell(source, namespace, number):
    """What a cell prints, the value of its last expression, and the figures that it leaves."""
    printed = io.StringIO()
    statements = ast.parse(source).body
    last = statements.pop() if isinstance(statements[-1], ast.Expr) else None
    name = f"<cell {number}>"
    value = None
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(statements, []), name, "exec"), namespace)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), name, "eval"), namespace)
    outputs = []
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": printed.getvalue()})
    if value is not None and not source.rstrip().endswith(";"):
        data = {"text/plain": repr(value)}
        result = {"output_type": "execute_result", "execution_count": number}
        outputs.append({**result, "data": data, "metadata": {}})
    return [*outputs, *figures()]


def figures():
    """Open figures as PNG, and close them."""
    pyplot = sys.modules.get("matplotlib.pyplot")  # no figures where nobody imported it
    if pyplot is None:
        return []
    outputs = []
    for number in pyplot.get_fignums():
        image = io.BytesIO()
        pyplot.figure(number).savefig(image, dpi=80)
        data = {"image/png": base64.b64encode(image.getvalue()).decode()}
        outputs.append({"output_type": "display_data", "data": data, "metadata": {}})
    pyplot.close("all")
    return outputs


def text_of(output):
    """The text of an output, or what kind of picture it is."""
    if output["output_type"] == "stream":
        return "".join(output["text"])
    data = output["data"]
    return "".join(data["text/plain"]) if "text/plain" in data else "picture"


def store(file):
    """Run a notebook and write it with its outputs."""
    notebook = read(file)
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for k, (cell, outputs) in enumerate(zip(cells, run(notebook, file.parent), strict=True)):
        cell["execution_count"] = k + 1
        for output in outputs:  # as Jupyter writes text, a line each
            for place in (output, output.get("data", {})):
                for key in place.keys() & {"text", "text/plain"}:
                    place[key] = place[key].splitlines(keepends=True)
        cell["outputs"] = outputs
    text = json.dumps(notebook, indent=1, ensure_ascii=False)
    file.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    for file in sorted(EXAMPLES.glob("*.ipynb")):
        store(file)
