"""Runs random command lines over random trees with Black, in this process, and with the command that is given.

Arguments: seed, number of the first, how many, and the words that start the other command. Prints what differs.
"""

import difflib
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import traceback
from dataclasses import dataclass
from pathlib import Path

BASE = Path(os.path.realpath(tempfile.mkdtemp(prefix="jetblack-command-lines-")))
# Not below: what Black keeps there is not to be found by a search.
HOME = Path(f"{BASE}-home")
# Black reads it when it is loaded.
os.environ["BLACK_CACHE_DIR"] = str(HOME)

import black
import black.concurrency
from trees import contents, inputs, lay, options, stdin, surroundings, tree

# Black's sentences with which nothing here agrees on purpose (docs/formatter/deviations.md), and what only it prints.
IGNORED = re.compile(
    r"This could be caused by running Black with an older|FutureWarning|regex = re\.compile|cannot parse code formatted for Python"
    r"|^(?:\w+\.)*\w+Error: |^During handling|^The above exception|Error reading configuration file|'cells'|list of cells|no attribute 'get'|must be a JSON object"
)


def no_processes(*_: object, **__: object) -> None:
    raise OSError("one thread is enough")


black.concurrency.ProcessPoolExecutor = no_processes


# How often one command line runs, one time after the other: the second run finds what the first left in the cache.
RUNS = [1, 1, 1, 2]


@dataclass
class Call:
    """A command line and what it meets beside the files."""

    words: list[str]
    given: bytes
    folder: Path
    variables: dict[str, str]

    def environment(self) -> dict[str, str]:
        places = {name: str(HOME) for name in ("HOME", "XDG_CACHE_HOME", "BLACK_CACHE_DIR", "TMPDIR")}
        places["XDG_CONFIG_HOME"] = str(BASE / "config")
        own = {name: value.replace("<base>", str(BASE)) for name, value in self.variables.items()}
        return {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", **places, **own}


def run_black(call: Call) -> tuple[int, bytes, bytes]:
    """As a program of its own, without the time that it takes to load."""
    with tempfile.TemporaryFile() as text, tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as messages:
        text.write(call.given)
        text.seek(0)
        child = os.fork()
        if child == 0:
            code = 99
            try:
                os.chdir(call.folder)
                variables = call.environment()
                os.environ.clear()
                os.environ.update(variables)
                for number, file in enumerate((text, output, messages)):
                    os.dup2(file.fileno(), number)
                sys.argv = ["black", *call.words]
                black.patched_main()
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else int(end.code is not None)
            except BaseException:
                traceback.print_exc()
                code = 1
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
        _, status = os.waitpid(child, 0)
        output.seek(0)
        messages.seek(0)
        return os.waitstatus_to_exitcode(status), output.read(), messages.read()


def run_other(command: list[str], call: Call) -> tuple[int, bytes, bytes]:
    words = [*command, *call.words]
    done = subprocess.run(words, cwd=call.folder, env=call.environment(), input=call.given, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


def readable(text: bytes) -> str:
    shown = text.decode("utf-8", "backslashreplace").replace(str(BASE), "<base>").replace("jetblack", "black")
    # To a file, as here, Black writes the byte order mark of the first difference alone; to a pipe that of each.
    shown = re.sub(r"\ufeff(?=(?:\x1b\[1m)?--- )", "", shown)
    shown = re.sub(r"(does not match the running version `)[^!]*!", r"\1", shown)
    return re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00:00", "<time>", shown)


def messages(text: str) -> list[str]:
    """Lines in any order, without tracebacks, lines of sources, and the interpreter's own words."""
    lines = [re.sub(r"failed to parse source file AST: .*", "<AST>", line) for line in text.split("\n")]
    return sorted(line for line in lines if line and not line.startswith((" ", "Traceback", "ParseError: ", "black.")) and not IGNORED.search(line))


def outcome(run: tuple[int, bytes, bytes]) -> list[str]:
    code, output, errors = run
    files = [f"{name}: {what!r}" for name, what in sorted(contents(BASE / "work").items()) + sorted(contents(BASE / "out").items())]
    return [f"exit code {code}", *readable(output).split("\n"), *messages(readable(errors)), *files]


def main(seed: str, first: str, count: str, *command: str) -> None:
    different = 0
    try:
        for number in range(int(first), int(first) + int(count)):
            choose = random.Random(f"{seed}:{number}")
            made = tree(choose)
            words = [*options(choose), *inputs(choose, made)]
            given = stdin(choose)
            folder, variables = surroundings(choose)
            call = Call(words, given, BASE / "work" / folder, variables)
            runs = choose.choice(RUNS)
            outcomes = []
            for is_black in (True, False):
                shutil.rmtree(BASE)
                shutil.rmtree(HOME, ignore_errors=True)
                lay(BASE / "work", made)
                call.folder.mkdir(parents=True, exist_ok=True)
                HOME.mkdir()
                outcomes.append([line for _ in range(runs) for line in outcome(run_black(call) if is_black else run_other([*command], call))])
            if outcomes[0] != outcomes[1]:
                different += 1
                changes = [line for line in difflib.ndiff(*outcomes) if line[0] in "+-"]
                print(f"{number}: {call} over {made}", *changes, sep="\n  ", flush=True)
    finally:
        shutil.rmtree(BASE, ignore_errors=True)
        shutil.rmtree(HOME, ignore_errors=True)
    print(f"seed {seed}: {count} command lines, {different} differ (- Black, + here)")
    sys.exit(1 if different else 0)


main(*sys.argv[1:])
