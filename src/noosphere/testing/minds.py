"""A mind to try things on: its own file, no model, nothing in the background, time and ids under control."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from noosphere.minds import open_mind, open_noosphere
from noosphere.settings import Settings
from noosphere.testing.clocks import SequentialIds, SteppingClock

if TYPE_CHECKING:
    from noosphere.clock import Clock
    from noosphere.ids import Ids
    from noosphere.mind import Mind
    from noosphere.minds.noosphere import Noosphere
    from noosphere.providers.ports import Embedder

FILE = "scratch.db"


def scratch_mind(
    folder: Path | str,
    *,
    clock: Clock | None = None,
    ids: Ids | None = None,
    embedder: Embedder | None = None,
    create: bool = True,
    read_only: bool = False,
    channel: str = "python",
    **chosen: Any,
) -> Mind:
    """Open a mind in a folder, or open the one there again; close it, or use `with`.

    Args:
        folder: where its file lies.
        clock: where "now" comes from; None for a clock that steps a second each time it is read.
        ids: where new ids come from; None for ids that count. Give the same one when a mind is opened again.
        embedder: takes the encoder's place, and switches the meaning lane on; without one there is none.
        create: whether to make it when it is not there.
        read_only: never write.
        channel: the door that the journal names.
        chosen: settings; by default nothing runs in the background and semantic is off.

    Raises:
        StorageError: the file cannot be opened.
        InvalidInput: an unknown setting.
    """
    semantic = "off" if embedder is None else "encoder"
    values: dict[str, Any] = {"home": Path(folder), "background": False, "semantic": semantic, **chosen}
    return open_mind(
        Path(folder) / FILE,
        create=create,
        read_only=read_only,
        channel=channel,
        clock=clock or SteppingClock(),
        ids=ids or SequentialIds(),
        embedder=embedder,
        settings=Settings().override("argument", values),
    )


def scratch_noosphere(
    home: Path | str,
    *,
    clock: Clock | None = None,
    ids: Ids | None = None,
    embedder: Embedder | None = None,
    channel: str = "python",
    **chosen: Any,
) -> Noosphere:
    """Open a home of minds in a folder; close it, or use `with`. Takes what `scratch_mind` takes.

    Raises:
        StorageError: the home cannot be made.
        InvalidInput: an unknown setting.
    """
    semantic = "off" if embedder is None else "encoder"
    values: dict[str, Any] = {"background": False, "semantic": semantic, **chosen}
    return open_noosphere(
        home,
        channel=channel,
        clock=clock or SteppingClock(),
        ids=ids or SequentialIds(),
        embedder=embedder,
        settings=Settings().override("argument", values),
    )
