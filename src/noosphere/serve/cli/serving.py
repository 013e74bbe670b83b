"""Commands for agents: context, and mcp, a server over standard input and output."""

from typing import Annotated

import typer

from noosphere.serve.cli.call import Call
from noosphere.serve.cli.command import command

commands = typer.Typer()


@command(
    commands,
    "context",
    examples="""
    noosphere context "which port is staging on?"
    noosphere context --no-recall --json
    """,
)
def context(
    call: Call,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="The prompt to come, if there is one.")] = "",
    budget: Annotated[
        int, typer.Option("--budget", metavar="N", help="How many characters the block may have.")
    ] = 12000,
    recall: Annotated[bool, typer.Option("--recall/--no-recall", help="Whether to put memories into it.")] = True,
) -> int:
    """Write what belongs before a prompt: who the agent is, what it is at, what bears on the question."""
    from noosphere.serve.cli.output import split

    with call.home(background=False) as noosphere:
        found = noosphere.context(query, budget=budget, recall=recall)
        return call.answer(found, (((line, ""),) for line in split(found.text)))


@command(
    commands,
    "brief",
    examples="""
    noosphere brief
    noosphere brief --budget 3000 --k 10
    """,
)
def brief(
    call: Call,
    budget: Annotated[
        int, typer.Option("--budget", metavar="N", help="How many characters the block may have.")
    ] = 12000,
    k: Annotated[int, typer.Option("--k", metavar="N", help="How many hits, at most; 1 to 1000.")] = 20,
) -> int:
    """Say what matters and what is new: important memories and decisions first, then the newest."""
    from noosphere.serve.cli.answering import answer_with_block

    mind = call.reading()
    return answer_with_block(call, mind, mind.brief(budget, k=k), explain=False)


@command(
    commands,
    "mcp",
    examples="""
    noosphere mcp
    noosphere mcp --mind acme --seed-tools
    claude mcp add noosphere -- noosphere mcp
    """,
)
def mcp(
    call: Call,
    seed_tools: Annotated[bool, typer.Option("--seed-tools", help="Also offer the seed's tool names.")] = False,
) -> int:
    """Serve one MCP client over standard input and output, until it leaves.

    Needs the extra `mcp`. Standard output carries the protocol alone; logs go to standard error.
    """
    from noosphere.serve.cli.extras import needed

    with needed("mcp"):
        import anyio

        from noosphere.serve.mcp.server import run_stdio
    with call.home("mcp") as noosphere:
        anyio.run(lambda: run_stdio(noosphere, seed_tools=seed_tools))
    return 0


@command(
    commands,
    "serve",
    examples="""
    noosphere serve
    noosphere serve --port 9000 --mind acme
    """,
)
def serve(
    call: Call,
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Where to listen.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", metavar="N", help="On which port.")] = 8377,
    seed_tools: Annotated[bool, typer.Option("--seed-tools", help="Also offer the seed's tool names.")] = False,
    seed_routes: Annotated[bool, typer.Option("--seed-routes", help="Also serve the seed's paths.")] = False,
) -> int:
    """Serve REST under /api and MCP under /mcp, until told to stop.

    Needs the extra `serve`. Callers send a bearer token; the first start makes one, in tokens.json in the home.
    """
    from noosphere.serve.cli.extras import needed
    from noosphere.serve.cli.output import note

    with needed("serve"):
        from noosphere.serve.running import run
    with call.home("rest") as noosphere:
        tokens = noosphere.settings.home / "tokens.json"

        def listening(host: str, port: int) -> None:
            note(f"serving on http://{host}:{port}; tokens are in {tokens}")

        run(noosphere, host=host, port=port, seed_tools=seed_tools, seed_routes=seed_routes, listening=listening)
    return 0
