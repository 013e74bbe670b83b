"""MCP: fourteen tools, four resources and a prompt over the table of verbs."""
