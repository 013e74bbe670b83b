"""A disk that fails at the N-th write: a VFS for SQLite's files and an opener for segments."""

import errno
import itertools
from contextlib import contextmanager

import apsw

FAILURES = {"error": apsw.IOError, "full": apsw.FullError}


class FailingDisk(apsw.VFS):
    """Passes everything to the real disk until the write it was told to fail; the file names are those given.

    Attributes:
        writes: writes, syncs and truncations since the disk was last told when to fail.
        failed: whether it failed since.
    """

    _numbers = itertools.count()

    def __init__(self):
        self.name = f"failing-{next(self._numbers)}"
        self.under = next(n for n in apsw.vfs_names() if not n.startswith("failing-"))
        self.fail(None)
        super().__init__(self.name, self.under)

    def fail(self, at, *, kind="error", lasting=False, torn=False, reads=False):
        """Fail from now on: the `at`-th write or sync, and if `lasting` all that follow.

        `torn` writes half of it first; `reads` counts and fails reads instead.
        """
        self.writes, self._at, self._kind, self._lasting, self._torn, self._reads = 0, at, kind, lasting, torn, reads
        self.failed = False

    def mend(self):
        """Work again; `failed` still says whether the write that was to fail was reached."""
        self._at = None

    @contextmanager
    def everywhere(self):
        """Every file that SQLite opens without being told where lies on this disk."""
        apsw.set_default_vfs(self.name)
        try:
            yield
        finally:
            apsw.set_default_vfs(self.under)

    def count(self, *, reads=False):
        """Let a write pass, or raise what the system would say."""
        if reads is not self._reads:
            return
        self.writes += 1
        if self._at is not None and (self.writes == self._at or (self._lasting and self.writes > self._at)):
            self.failed = True
            raise FAILURES[self._kind](f"the disk failed at write {self.writes}")

    def tears(self):
        """Whether the next write is the one to be cut in half."""
        return self._torn and self.writes + 1 == self._at

    def xOpen(self, name, flags):  # noqa: N802  (SQLite's names)
        return _File(self, name, flags)


class _File(apsw.VFSFile):
    def __init__(self, disk, name, flags):
        self._disk = disk
        super().__init__(disk.under, name, flags)

    def xRead(self, amount, offset):  # noqa: N802
        self._disk.count(reads=True)
        return super().xRead(amount, offset)

    def xWrite(self, data, offset):  # noqa: N802
        if self._disk.tears():
            super().xWrite(bytes(data)[: len(data) // 2], offset)
        self._disk.count()
        super().xWrite(data, offset)

    def xSync(self, flags):  # noqa: N802
        self._disk.count()
        super().xSync(flags)

    def xTruncate(self, size):  # noqa: N802
        self._disk.count()
        super().xTruncate(size)


def failing_opener(disk):
    """An opener for segment files on a failing disk."""

    def opener(path):
        return _Plain(disk, path.open("wb"))

    return opener


class _Plain:
    """An ordinary file whose writes and syncs the disk counts."""

    def __init__(self, disk, file):
        self._disk = disk
        self._file = file

    def write(self, data):
        if self._disk.tears():
            self._file.write(bytes(data)[: len(bytes(data)) // 2])
            self._file.flush()
        self._count()
        return self._file.write(data)

    def flush(self):
        self._count()
        self._file.flush()

    def fileno(self):
        self._count()
        return self._file.fileno()

    def _count(self):
        try:
            self._disk.count()
        except apsw.FullError as full:
            raise OSError(errno.ENOSPC, "No space left on device") from full
        except apsw.IOError as broken:
            raise OSError(errno.EIO, "Input/output error") from broken

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._file.close()
