"""Web addresses: who may be asked, and what an answer may take. The servers are real ones on this machine."""

import ipaddress
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from noosphere import open_mind
from noosphere.errors import InvalidInput, StorageError
from noosphere.harvest.read import read_member
from noosphere.harvest.web import Limits, fetch, is_address, is_public

HERE = ipaddress.ip_address("127.0.0.1")
LOCAL = Limits(allowed=lambda address: address == HERE)
PAGE = b"<!DOCTYPE html><html><head><title>Ferry</title></head><body><p>It leaves at nine.</p></body></html>"


class Answers(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append((self.path, self.headers["Host"]))
        status, location = 200, None
        if self.path.startswith("/to?"):
            status, location = 302, self.path.removeprefix("/to?")
        elif self.path == "/round":
            status, location = 302, "/round"
        elif self.path == "/gone":
            status = 404
        self.send_response(status)
        if location:
            self.send_header("Location", location)
        if self.path == "/cut":
            self.send_header("Content-Length", "5000")
        if self.path == "/slow":  # its headers never end
            self.flush_headers()
            self.server.over.wait(20)
            return
        self.end_headers()
        if status == 200:
            self.wfile.write(PAGE if self.path != "/large" else b"x" * 50_000)

    def log_message(self, *args):
        pass


@pytest.fixture
def server():
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as running:
        running.asked = []
        running.over = threading.Event()
        running.url = f"http://127.0.0.1:{running.server_port}"
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running
        running.over.set()
        running.shutdown()
        thread.join()


def test_a_page_is_fetched_and_read(server):
    (note,) = read_member(fetch(f"{server.url}/a", LOCAL))
    assert (note.id, note.title, note.text) == (f"{server.url}/a", "Ferry", "It leaves at nine.")


def test_redirects_are_followed_and_the_name_is_the_one_that_was_asked(server):
    assert fetch(f"{server.url}/to?/a", LOCAL).name == f"{server.url}/to?/a"
    assert [path for path, _ in server.asked] == ["/to?/a", "/a"]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_this_machine_is_not_asked(server, host):
    with pytest.raises(InvalidInput, match="not public"):
        fetch(f"http://{host}:{server.server_port}/a")
    assert server.asked == []


@pytest.mark.parametrize(
    "target", ["http://127.0.0.2:9/", "http://169.254.169.254/latest/meta-data/", "http://[::1]:9/", "//10.0.0.1/"]
)
def test_a_redirect_is_checked_again(server, target):
    with pytest.raises(InvalidInput, match="not public"):
        fetch(f"{server.url}/to?{target}", LOCAL)


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/a", "gopher://127.0.0.1/"])
def test_a_redirect_leads_to_no_other_scheme(server, target):
    with pytest.raises(InvalidInput):
        fetch(f"{server.url}/to?{target}", LOCAL)


def test_a_circle_of_redirects_ends(server):
    with pytest.raises(StorageError, match="redirects more than"):
        fetch(f"{server.url}/round", LOCAL)


def test_too_large_an_answer_is_refused(server):
    with pytest.raises(StorageError, match="larger than 1000"):
        fetch(f"{server.url}/large", Limits(allowed=LOCAL.allowed, size=1000))


def test_too_slow_an_answer_is_refused(server):
    with pytest.raises(StorageError, match="takes longer"):
        fetch(f"{server.url}/slow", Limits(allowed=LOCAL.allowed, deadline=0.2))


def test_an_answer_that_is_cut_off_is_refused(server):
    with pytest.raises(StorageError, match="cut off"):
        fetch(f"{server.url}/cut", LOCAL)


def test_an_error_of_the_server_and_a_closed_port_are_told(server):
    with pytest.raises(StorageError, match="404"):
        fetch(f"{server.url}/gone", LOCAL)
    with pytest.raises(StorageError, match="cannot be reached"):
        fetch("http://127.0.0.1:1/", LOCAL)


@pytest.mark.parametrize("url", ["http://", "http://a:b@127.0.0.1/", "http://x:99999/", "http://[bad/", "http://a b/"])
def test_what_is_no_address_is_refused(url):
    with pytest.raises(InvalidInput):
        fetch(url, LOCAL)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",  # noqa: S104  (an address to refuse)
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1",
        "fc00::1",
        "::ffff:127.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
    ],
)
def test_addresses_that_are_not_public(address):
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", ["93.184.215.14", "8.8.8.8", "2606:4700:4700::1111", "::ffff:8.8.8.8"])
def test_addresses_that_are_public(address):
    assert is_public(ipaddress.ip_address(address))


def test_paths_are_no_addresses():
    assert [is_address(place) for place in ("HTTPS://x.test/", "http.txt", "/http://x")] == [True, False, False]


def test_the_verb_refuses_this_machine(server, tmp_path):
    with pytest.raises(InvalidInput, match="not public"):
        open_mind(tmp_path / "m.db").harvest(f"{server.url}/a")
    assert server.asked == []
