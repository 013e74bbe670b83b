"""The verbs as data: what each takes and answers, and what it is called behind every door."""
