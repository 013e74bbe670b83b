"""The console scripts: streams that speak UTF-8, exit codes, and no traceback for what is expected."""

from __future__ import annotations

import atexit
import gc
import io
import os
import sys
import threading
from itertools import takewhile
from pathlib import Path

HOOK = "hook"
UNWRITTEN = 120  # as Python says that its last words could not be written
INTERRUPTED = 130  # 128 + SIGINT, as shells count
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")


def run() -> None:
    """Run the command of this process's arguments and exit with its code."""
    gc.disable()  # what is imported stays: to look for garbage in it costs 5 to 10 ms
    code = main(sys.argv[1:], name=Path(sys.argv[0]).stem)
    if any(not thread.daemon for thread in threading.enumerate() if thread is not threading.main_thread()):
        sys.exit(code)  # waits for them
    _leave(code)


def main(arguments: list[str], *, name: str = "noosphere") -> int:
    """Run one command and return its exit code."""
    for variable in ONE_THREAD:
        # Set before numpy is imported: a pool of threads for one small product costs more than the product,
        # and starting it took half of the import (measured: 110 ms of CPU with it, 60 without).
        os.environ.setdefault(variable, "1")
    _speak_utf8()
    words = [_as_utf8(word) for word in arguments] or ["--help"]
    if words[0] == HOOK and "--help" not in words:  # before every prompt: it must not wait for a command line
        from noosphere.serve.hooks.run import main as run_hook

        return run_hook(words[1:])
    try:
        from noosphere.serve.cli.app import make_command

        command = make_command()
        if not gc.isenabled():
            gc.freeze()
            gc.enable()
        return command.main(words, prog_name=name, standalone_mode=False) or 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as problem:  # noqa: BLE001  (the last place where any failure can become an exit code)
        from noosphere.serve.cli.failures import report

        return report(problem, as_json="--json" in takewhile(lambda word: word != "--", words))


def _leave(code: int) -> None:
    """End the process as it is: the minds are closed, and taking the modules apart one by one costs 25 to 100 ms."""
    atexit._run_exitfuncs()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  (nothing else tells who asked)
    for stream in filter(None, (sys.stdout, sys.stderr)):  # None are those that were closed at the start
        try:
            stream.flush()
        except (OSError, ValueError):  # the other end closed it, or the disk is full
            code = code or (0 if sys.argv[1:2] == [HOOK] else UNWRITTEN)
    os._exit(code)


def _speak_utf8() -> None:
    """Write UTF-8 whatever the locale says; what it cannot hold is written as an escape, never an exception."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _as_utf8(word: str) -> str:
    """Read an argument again as UTF-8, where a locale without UTF-8 read its bytes as something else."""
    if word.isascii() or sys.getfilesystemencoding() == "utf-8":
        return word
    try:
        return os.fsencode(word).decode("utf-8")
    except UnicodeError:
        return word
