"""Children and disks of the fault tests."""

import pytest
from children import Child
from failing_disk import FailingDisk


@pytest.fixture
def start():
    """Start children; those that still run at the end of the test are ended."""
    children = []

    def begin(task, path, seed=0, **options):
        children.append(Child(task, path, seed, **options))
        return children[-1]

    yield begin
    for child in children:
        child.clear_away()


@pytest.fixture
def disk():
    """A disk that can be told to fail."""
    return FailingDisk()
