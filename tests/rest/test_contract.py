"""Every route over its whole specification: never a server error, never an answer that is not documented."""

import pytest
from hypothesis import HealthCheck, settings

schemathesis = pytest.importorskip("schemathesis")

from schemathesis.checks import not_a_server_error  # noqa: E402
from schemathesis.specs.openapi.checks import (  # noqa: E402
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from noosphere.clock import SystemClock  # noqa: E402
from noosphere.serve.rest.app import make_app  # noqa: E402
from noosphere.serve.rest.tokens import load  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
CHECKS = (not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance)
LEFT_OUT = ("/api/harvest", "/api/harvest/preview", "/api/backup")  # they work on files of this machine
ENDLESS = "/api/harvest/jobs/{job}/events"


@pytest.fixture
def api(noosphere):
    app = make_app(noosphere, load(noosphere.settings.home), SystemClock())
    return schemathesis.openapi.from_asgi("/openapi.json", app)


schema = schemathesis.pytest.from_fixture("api").exclude(path=[*LEFT_OUT, ENDLESS])


@schema.parametrize()
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_call_breaks_the_server_or_gets_what_is_not_documented(case):
    answer = case.call(headers={"Authorization": "Bearer admin-token"})
    case.validate_response(answer, checks=CHECKS)
