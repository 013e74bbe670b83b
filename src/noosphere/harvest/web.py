"""Fetching a page from the web: only from public addresses, checked again at every redirect, with limits.

The address that was checked is the one that is connected to, so a name that resolves differently a moment later gains
nothing. Proxies of the environment are not used: they would resolve the name themselves.
"""

from __future__ import annotations

import http.client
import io
import ipaddress
import socket
import ssl
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from noosphere.errors import InvalidInput, StorageError, shown
from noosphere.harvest.members import Member

if TYPE_CHECKING:
    from collections.abc import Callable

SCHEMES = {"http": 80, "https": 443}
MAX_BYTES = 20 * 2**20  # of one answer, as it comes over the wire; nothing is unpacked
MAX_REDIRECTS = 5
TIMEOUT_SECONDS = 20.0  # for one connection, and for each wait in it
DEADLINE_SECONDS = 60.0  # for all of it: a server may send a byte a second
BLOCK_BYTES = 65_536
MOVED = frozenset({301, 302, 303, 307, 308})
OK = 200
HEADERS = {"User-Agent": "noosphere", "Accept": "text/html, */*;q=0.5", "Accept-Encoding": "identity"}
SAFE = "/%:@!$&'()*+,;=~?-._[]"

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def is_address(place: str) -> bool:
    """Whether a place is a web address and not a path."""
    return place.lower().startswith(tuple(f"{scheme}://" for scheme in SCHEMES))


def is_public(address: Address) -> bool:
    """Whether an address may be asked: not this machine, not this network, not one that leads to either."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
        if inner is not None:
            return address.ipv4_mapped is not None and is_public(inner)
        if address in NAT64:
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved


NAT64 = ipaddress.IPv6Network("64:ff9b::/96")  # any IPv4 address can be written in it


@dataclass(frozen=True, slots=True)
class Limits:
    """What a fetch may take, and whom it may ask."""

    allowed: Callable[[Address], bool] = is_public
    size: int = MAX_BYTES
    timeout: float = TIMEOUT_SECONDS
    deadline: float = DEADLINE_SECONDS


def fetch(url: str, limits: Limits | None = None) -> Member:
    """Read what a web address holds, as a member named by the address that was asked for.

    Raises:
        InvalidInput: it is no web address, or leads to one that may not be asked.
        StorageError: it cannot be reached, answers with an error, or is too large or too slow.
    """
    limits = limits or Limits()
    until = time.monotonic() + limits.deadline
    asked = at = url
    for _ in range(MAX_REDIRECTS + 1):
        answer = _ask(at, limits, until)
        if isinstance(answer, bytes):
            return Member(asked, len(answer), lambda data=answer: io.BytesIO(data))
        at = urljoin(at, answer)
    raise StorageError(asked, f"redirects more than {MAX_REDIRECTS} times", "Give the address it ends at")


def _ask(url: str, limits: Limits, until: float) -> bytes | str:
    """The content at an address, or the address it has moved to."""
    parts = _parts(url)
    host, port = str(parts.hostname), parts.port or SCHEMES[parts.scheme]
    connection = http.client.HTTPConnection(host, port, timeout=limits.timeout)
    alarm = threading.Timer(max(0.0, until - time.monotonic()), _hang_up, (connection,))
    try:
        connection.sock = _connect(url, host, port, limits)
        alarm.start()
        if parts.scheme == "https":
            connection.sock = _encrypted(connection.sock, host)
            connection.sock.do_handshake()
        name = parts.netloc if parts.port else f"[{host}]" if ":" in host else host
        path = quote(parts.path or "/", SAFE) + (f"?{quote(parts.query, SAFE)}" if parts.query else "")
        connection.request("GET", path, headers={**HEADERS, "Host": name})
        response = connection.getresponse()
        moved = response.getheader("Location")
        if response.status in MOVED and moved:
            return moved
        if response.status != OK:
            raise StorageError(url, f"answers with status {response.status}", "Open it in a browser and save the page")
        return _body(url, response, limits, until)
    except (OSError, http.client.HTTPException, UnicodeError) as problem:
        late = f"takes longer than {limits.deadline} s"
        why = late if time.monotonic() > until else f"cannot be reached ({type(problem).__name__})"
        raise StorageError(url, why, "Check the address and the network") from None
    finally:
        alarm.cancel()
        connection.close()


def _hang_up(connection: http.client.HTTPConnection) -> None:
    """End whatever the connection waits for."""
    with suppress(OSError, AttributeError):  # it is closed already
        connection.sock.shutdown(socket.SHUT_RDWR)


def _encrypted(plain: socket.socket, host: str) -> ssl.SSLSocket:
    context = ssl.create_default_context()
    return context.wrap_socket(plain, server_hostname=host, do_handshake_on_connect=False)


def _parts(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        is_good = parts.scheme in SCHEMES and parts.hostname and (parts.port is None or parts.port > 0)
    except ValueError:
        raise InvalidInput("url", f"{shown(url)} is no web address", "Give one such as https://example.com/") from None
    if not is_good or any(ord(letter) < ord("!") for letter in url):
        raise InvalidInput("url", f"{shown(url)} is not an http or https address", "Give one such as https://…")
    if parts.username is not None or parts.password is not None:
        raise InvalidInput("url", "carries a user name or password", "Leave them out of the address")
    return parts


def _connect(url: str, host: str, port: int, limits: Limits) -> socket.socket:
    """Connect to an address that was checked; one that may not be asked among them refuses them all."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(one[4][0]) for one in found]
    if not all(limits.allowed(ipaddress.ip_address(address.partition("%")[0])) for address in addresses):
        remedy = "Save the page to a file and give that"
        raise InvalidInput("url", f"{shown(url)} leads to an address that is not public", remedy)
    return socket.create_connection((addresses[0], port), timeout=limits.timeout)


def _body(url: str, response: http.client.HTTPResponse, limits: Limits, until: float) -> bytes:
    pieces: list[bytes] = []
    size = 0
    while piece := response.read1(BLOCK_BYTES):
        pieces.append(piece)
        size += len(piece)
        if size > limits.size:
            raise StorageError(url, f"is larger than {limits.size} bytes", "Download it and give the file")
    if time.monotonic() > until:
        raise StorageError(url, f"takes longer than {limits.deadline} s", "Download it and give the file")
    if response.length:
        raise StorageError(url, "was cut off before its end", "Try again")
    return b"".join(pieces)
