"""REST: one route a verb, made from the table, with tokens, limits, problems and metrics around it."""
