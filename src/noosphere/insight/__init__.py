"""Reading about what is known: one thing in full, its history, the journal, counts and tags."""
