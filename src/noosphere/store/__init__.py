"""The mind's file: every line of SQL, the derived indexes, and the vectors beside it."""
