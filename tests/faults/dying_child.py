"""What a forked child came to: its answer, or that it was killed."""

import os
import signal
import sys


def in_child(act):
    """Do something in a forked child, and tell on standard output what it gave, `killed`, or `failed`."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writing, str(act()).encode())
        except BaseException:  # noqa: BLE001  (it must not run on as if it were the parent)
            sys.excepthook(*sys.exc_info())
            os._exit(1)
        os._exit(0)
    os.close(writing)
    said = os.read(reading, 100)
    os.close(reading)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    sys.stdout.write(f"{'killed' if code == -signal.SIGKILL else said.decode() if code == 0 else 'failed'}\n")
    sys.stdout.flush()
