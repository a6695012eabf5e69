"""The functions by themselves: process, threads, forks, and what they do with wrong arguments."""

from __future__ import annotations

import os
import signal
import sys
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
