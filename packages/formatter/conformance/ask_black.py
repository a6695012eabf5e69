"""Answers requests on standard input, one JSON object a line: {"path", "mode"} -> {"text"} or {"error"}."""

import json
import sys

import black


def answer(request):
    mode_name, path = request["mode"], request["path"]
    options = {"is_pyi": path.endswith(".pyi")}
    if mode_name.startswith("l"):
        options["line_length"] = int(mode_name[1:])
    if mode_name in ("preview", "unstable"):
        options["preview"] = True
        options["unstable"] = mode_name == "unstable"
    mode = black.Mode(**options)
    try:
        with open(path, "rb") as file:
            source, _, _ = black.decode_bytes(file.read(), mode)
        try:
            return {"text": black.format_file_contents(source, fast=False, mode=mode)}
        except black.NothingChanged:
            return {"text": source}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


for line in sys.stdin:
    sys.stdout.write(json.dumps(answer(json.loads(line))) + "\n")
