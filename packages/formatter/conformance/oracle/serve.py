"""A process that makes cases and answers for Black until its input ends.

One JSON object a line, answered by one line: {"make": {"folder", "seed", "start", "count", "makers"}} by a list of
cases, {"ask": [requests]} by a list of answers. The first line says which Black and which Python speak.
"""

import json
import platform
import sys

import black
from answer import answer


def reply(value: object) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def main() -> None:
    reply({"black": black.__version__, "python": platform.python_version()})
    for line in sys.stdin:
        request = json.loads(line)
        if "ask" in request:
            reply([answer(one) for one in request["ask"]])
        else:
            # Only here: whoever asks alone needs no statements of real modules.
            from cases import make

            reply(make(**request["make"]))


main()
