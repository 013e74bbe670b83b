"""The command line: thin commands over the verbs of a mind, for people and for scripts."""
