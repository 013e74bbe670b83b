"""Every route over its whole specification: never a server error, never an answer that is not documented."""

import pytest
from hypothesis import HealthCheck, given, settings

pytest.importorskip("schemathesis")

import schemathesis
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from noosphere.clock import SystemClock
from noosphere.serve.rest.app import make_app
from noosphere.serve.rest.tokens import load
from noosphere.serve.verbs.table import VERBS
from noosphere.serve.verbs.verb import Empty

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
ON_FILES = {"harvest", "harvest.preview", "backup", "export"}  # they work on files of this machine
ROUTES = [verb.rest for verb in VERBS if not isinstance(verb.rest, Empty) and verb.name not in ON_FILES]


@pytest.fixture
def api(noosphere):
    app = make_app(noosphere, load(noosphere.settings.home), SystemClock(), "secret")
    return schemathesis.openapi.from_asgi("/openapi.json", app)


@pytest.mark.parametrize("route", ROUTES)
def test_no_call_breaks_the_server_or_gets_what_is_not_documented(api, route):
    method, _, path = route.partition(" ")

    @given(case=api[path][method].as_strategy())
    @settings(max_examples=10, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    def holds(case):
        answer = case.call(headers={"Authorization": "Bearer admin-token"})
        case.validate_response(answer, checks=CHECKS)

    holds()
