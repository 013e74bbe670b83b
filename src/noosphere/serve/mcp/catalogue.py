"""Which tools a server offers: the fourteen, or the seed's names for those who know them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noosphere.serve.mcp.agent_tools import AGENT_TOOLS
from noosphere.serve.mcp.memory_tools import MEMORY_TOOLS

if TYPE_CHECKING:
    from noosphere.serve.mcp.tool import Tool

MOST = 14  # tools a model chooses well among

TOOLS: tuple[Tool, ...] = (*MEMORY_TOOLS, *AGENT_TOOLS)


def catalogue(*, seed: bool = False) -> dict[str, Tool]:
    """The tools by name, with the seed's beside them when asked for."""
    if not seed:
        return {tool.name: tool for tool in TOOLS}
    from noosphere.serve.mcp.seed_tools import SEED_TOOLS  # noqa: PLC0415  (seldom asked)

    return {tool.name: tool for tool in (*TOOLS, *SEED_TOOLS)}
