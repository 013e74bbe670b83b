"""The doors: command line, MCP, REST and hooks, thin skins over one table of verbs (verbs/table.py)."""
