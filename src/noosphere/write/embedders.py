"""From settings to the chain of embedders: which hosted models may be asked, where, and against which quota."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from noosphere.providers.chain import Chain, Offer, Unavailable
from noosphere.providers.hosted import allowed, in_order
from noosphere.store.quota import Quota

if TYPE_CHECKING:
    from noosphere.clock import Clock
    from noosphere.providers.hosted import Hosted
    from noosphere.providers.ports import Embedder, Meter
    from noosphere.settings import Settings

KEYS = {"voyage": "VOYAGE_API_KEY", "openai": "OPENAI_API_KEY", "litellm": "LITELLM_API_KEY"}
NEEDED = ("voyage",)  # the others may be one's own servers, which need no key


def make_chain(settings: Settings, embedder: Embedder | None, clock: Clock) -> Chain:
    """The embedders that these settings allow.

    Raises:
        InvalidInput: they name a provider that there is not.
    """
    quota = settings.embedding_quota
    meter = None if quota is None else Quota(settings.home, settings.actor, quota, clock)
    offers = [_offer(hosted, settings, meter) for hosted in in_order(settings.providers)]
    return Chain(settings.semantic, embedder, threads=settings.threads, hosted=offers)


def _offer(hosted: Hosted, settings: Settings, meter: Meter | None) -> Offer:
    key = os.environ.get(KEYS.get(hosted.provider, ""), "")
    refused = None
    if not allowed(hosted, settings.tier):
        reason = f"the tier {settings.tier} may not reach {hosted.provider}"
        refused = Unavailable("hosted", reason, f"model {hosted.name}: {reason}. Name another provider or another tier")
    elif hosted.provider in NEEDED and not key:
        reason = f"{KEYS[hosted.provider]} is not set"
        refused = Unavailable("hosted", reason, f"model {hosted.name}: {reason}. Set it, or name another provider")
    return Offer(hosted.name, lambda: _load(hosted, settings, key, meter), refused)


def _load(hosted: Hosted, settings: Settings, key: str, meter: Meter | None) -> Embedder:
    from noosphere.providers.embed.dialects import DIALECTS  # noqa: PLC0415  (only for whoever named such a model)
    from noosphere.providers.embed.remote import WAIT, Remote  # noqa: PLC0415  (brings numpy)
    from noosphere.providers.endpoint import Endpoint, Place  # noqa: PLC0415

    url = getattr(settings, f"{hosted.provider}_url").rstrip("/") + DIALECTS[hosted.provider][0]
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    counted = None if hosted.reach == "local" else meter
    return Remote(hosted, Endpoint(hosted.name, Place(url, headers, hosted.seconds), remedy=WAIT), counted)
