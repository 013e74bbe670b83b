"""Where the key of encrypted minds comes from: the environment, the keyring of the system, or whoever sits there."""

from __future__ import annotations

import os
import sys
from functools import cache
from getpass import getpass
from typing import TYPE_CHECKING

from noosphere import settings as setting
from noosphere.errors import InvalidInput

if TYPE_CHECKING:
    from noosphere.settings import Settings
    from noosphere.store.key import Key

VARIABLE = "NOOSPHERE_KEY"
NEW_VARIABLE = "NOOSPHERE_NEW_KEY"
SERVICE = "noosphere"  # under which the keyring keeps one key for each home
EXTRA = "Install it with `pip install 'noosphere[encrypted]'`"


def find(settings: Settings) -> Key | None:
    """The key that the settings lead to; None when there is none, and minds are not encrypted.

    Raises:
        InvalidInput: the settings name a place that holds no key, or the key cannot be used.
    """
    if settings.key_from == "auto":
        found = os.environ.get(VARIABLE) or None
    elif settings.key_from == "environment":
        found = os.environ.get(VARIABLE) or _missing(f"{VARIABLE} is not set", f"Set {VARIABLE}")
    elif settings.key_from == "keyring":
        remedy = "Put one there with `noosphere rekey`"
        found = from_keyring(settings) or _missing("the keyring holds none for this home", remedy)
    else:
        found = _asked(str(settings.home))
    return read(found)


def read(text: str | None) -> Key | None:
    """A key that was given.

    Raises:
        InvalidInput: it is too short, or the installed driver cannot encrypt.
    """
    if text is None:
        return None
    from noosphere.store.key import read_key  # plain minds need no look at the driver

    return read_key(text)


def chosen(text: str | None, settings: Settings | None) -> Key | None:
    """The key that was given, else the one that the settings lead to; None reads the settings in force."""
    return read(text) if text is not None else find(setting.load() if settings is None else settings)


def from_keyring(settings: Settings) -> str | None:
    """What the keyring of the system holds for a home.

    Raises:
        InvalidInput: there is no keyring.
    """
    try:
        import keyring
        from keyring.errors import KeyringError
    except ModuleNotFoundError:
        raise InvalidInput("key_from", "needs keyring, which is not installed", EXTRA) from None
    try:
        return keyring.get_password(SERVICE, str(settings.home))
    except KeyringError as problem:
        raise _no_keyring(problem) from problem


def to_keyring(settings: Settings, key: Key | None) -> None:
    """Keep the key of a home in the keyring of the system; None takes it out.

    Raises:
        InvalidInput: there is no keyring.
    """
    import keyring
    from keyring.errors import KeyringError, PasswordDeleteError

    try:
        if key is not None:
            keyring.set_password(SERVICE, str(settings.home), key.secret)
            return
        keyring.delete_password(SERVICE, str(settings.home))
    except PasswordDeleteError:
        return
    except KeyringError as problem:
        raise _no_keyring(problem) from problem


def new() -> str:
    """The key from now on: of the environment, or asked for twice.

    Raises:
        InvalidInput: there is no terminal, or two different ones were typed.
    """
    if found := os.environ.get(NEW_VARIABLE):
        return found
    typed = ask("New key: ", NEW_VARIABLE)
    if ask("The same again: ", NEW_VARIABLE) != typed:
        raise InvalidInput("key", "was typed in two different ways", "Try again; nothing was changed")
    return typed


def ask(question: str, variable: str = VARIABLE) -> str:
    """Ask the person at the terminal; what is typed is not shown.

    Raises:
        InvalidInput: there is no terminal.
    """
    if not sys.stdin.isatty():
        raise InvalidInput("key", "cannot be asked for without a terminal", f"Set {variable}")
    return getpass(question)


@cache
def _asked(home: str) -> str:
    """Asked once for each process."""
    return ask(f"Key of the minds in {home}: ")


def _missing(problem: str, remedy: str) -> str:
    raise InvalidInput("key", problem, remedy)


def _no_keyring(problem: Exception) -> InvalidInput:
    return InvalidInput("key_from", f"the keyring cannot be used ({problem})", f"Use {VARIABLE}, or a prompt")
