"""The whole application in this process, with a token of each scope."""

import json

import pytest

pytest.importorskip("fastapi")

from starlette.testclient import TestClient

from noosphere.serve.app import make_server
from noosphere.testing.minds import scratch_noosphere

TOKENS = {scope: {"token": f"{scope}-token", "scope": scope} for scope in ("read", "write", "admin")}


@pytest.fixture
def noosphere(tmp_path, clock, ids):
    with scratch_noosphere(tmp_path / "home", clock=clock, ids=ids, channel="rest") as opened:
        (tmp_path / "home" / "tokens.json").write_text(json.dumps(TOKENS), encoding="utf-8")
        yield opened


@pytest.fixture
def app(noosphere):
    return make_server(noosphere)


@pytest.fixture
def client(app):
    with TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False) as opened:
        opened.headers["Authorization"] = "Bearer admin-token"
        yield opened
