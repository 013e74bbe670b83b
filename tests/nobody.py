"""Tests that root runs as the user nobody: it must be able to reach the code and the environment."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

import noosphere


def _may_enter(place: Path) -> bool:
    return all(folder.stat().st_mode & 0o001 for folder in place.resolve().parents)


def _is_shut_out() -> bool:
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return is_root and not all(map(_may_enter, (Path(noosphere.__file__), Path(sys.prefix))))


needs_nobody = pytest.mark.skipif(
    _is_shut_out(), reason="root keeps this checkout in a folder of its own, where nobody else can run it"
)
