"""The functions by themselves: process, threads, forks, and what they do with wrong arguments."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

import jetblack
from jetblack import _service


class Functions(unittest.TestCase):
    def test_has_defaults_for_all_but_the_source(self) -> None:
        self.assertEqual(jetblack.format_str("x='a'"), 'x = "a"\n')
        self.assertEqual(jetblack.format_file_contents("x='a'"), 'x = "a"\n')
        self.assertEqual(jetblack.format_cell("x='a';"), 'x = "a";')

    def test_says_what_is_wrong_with_an_argument(self) -> None:
        with self.assertRaisesRegex(TypeError, "line_length must be an int, not str"):
            jetblack.format_str("x", mode=jetblack.Mode(line_length="88"))  # type: ignore[arg-type]
        with self.assertRaisesRegex(TypeError, "target_versions must hold members of the enum, not 'py38'"):
            jetblack.format_str("x", mode=jetblack.Mode(target_versions={"py38"}))  # type: ignore[arg-type]
        for source in (None, b"x", 1):
            for function in (jetblack.format_str, jetblack.format_file_contents, jetblack.format_cell):
                with self.assertRaisesRegex(TypeError, "the source must be a str, not "):
                    function(source)  # type: ignore[arg-type]
        with self.assertRaises(UnicodeEncodeError):
            jetblack.format_str("x = '\ud800'")
        with self.assertRaises(AttributeError):
            jetblack.no_such_function  # type: ignore[attr-defined]

    def test_keeps_every_character(self) -> None:
        text = "x = '\u2028\u0085\U0001f600\\x00'\n"
        self.assertEqual(jetblack.format_str(text), text.replace("'", '"'))

    def test_formats_large_sources(self) -> None:
        source = "x = [1,2]\n" * 200_000
        self.assertEqual(jetblack.format_str(source), "x = [1, 2]\n" * 200_000)


class Process(unittest.TestCase):
    def child(self) -> int:
        jetblack.format_str("x")
        running = _service._process._child
        assert running is not None
        return running._process.pid

    def test_is_one_for_all_calls(self) -> None:
        self.assertEqual(self.child(), self.child())

    def test_is_started_again_when_it_was_killed(self) -> None:
        first = self.child()
        os.kill(first, signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
        self.assertNotEqual(first, self.child())

    def test_serves_threads(self) -> None:
        wrong: list[str] = []

        def work(number: int) -> None:
            for _ in range(50):
                output = jetblack.format_str(f"a  = {number}")
                if output != f"a = {number}\n":
                    wrong.append(output)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_an_interrupt_leaves_no_answer_behind(self) -> None:
        if not hasattr(signal, "setitimer"):
            self.skipTest("Windows has no timers that interrupt")
        self.child()

        def interrupt(*_: object) -> None:
            raise KeyboardInterrupt

        before = signal.signal(signal.SIGALRM, interrupt)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            with self.assertRaises(KeyboardInterrupt):
                jetblack.format_str("y = [1,2]\n" * 500_000)
        finally:
            signal.signal(signal.SIGALRM, before)
        self.assertEqual(jetblack.format_str("x = 1"), "x = 1\n")

    def test_answers_a_signals_handler_that_asks_meanwhile(self) -> None:
        if not hasattr(signal, "setitimer"):
            self.skipTest("Windows has no timers that interrupt")
        answers: list[str] = []

        def ask(*_: object) -> None:
            if _service._process._busy:
                answers.append(jetblack.format_str("y = [1,2]"))

        source = "x = [1,2]\n" * 100_000
        before = signal.signal(signal.SIGALRM, ask)
        try:
            while not answers:
                signal.setitimer(signal.ITIMER_REAL, 0.05)
                self.assertEqual(jetblack.format_str(source), "x = [1, 2]\n" * 100_000)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        self.assertEqual(set(answers), {"y = [1, 2]\n"})

    def test_does_not_keep_a_program_that_ends(self) -> None:
        program = """
import threading, time, jetblack
from jetblack import _service

def work():
    jetblack.format_str("x = [1,2]\\n" * 500_000)
    print("formatted to the end")

jetblack.format_str("x")
threading.Thread(target=work, daemon=True).start()
while not _service._process._busy:
    time.sleep(0.001)
"""
        ended = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual((ended.returncode, ended.stdout), (0, b""))

    def test_reads_past_what_others_print(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            loaded = os.path.join(folder, "loaded.cjs")
            with open(loaded, "w") as file:
                file.write("console.log('loaded'); console.log('[1]')")
            program = "import jetblack; print(jetblack.format_str('x=1') + jetblack.format_str('y=1'), end='')"
            options = f"--require {json.dumps(loaded)}"
            output = subprocess.check_output(
                [sys.executable, "-c", program], env={**os.environ, "NODE_OPTIONS": options}, text=True
            )
        self.assertEqual(output, "x = 1\ny = 1\n")

    def test_a_fork_has_its_own(self) -> None:
        if not hasattr(os, "fork"):
            self.skipTest("Windows has no fork")
        first = self.child()
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.write(writer, str(self.child()).encode())
            os._exit(0)
        os.waitpid(pid, 0)
        self.assertNotIn(int(os.read(reader, 100)), (0, first))
        self.assertEqual(first, self.child())


if __name__ == "__main__":
    unittest.main()
