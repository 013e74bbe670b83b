"""The writing verbs: each checks what it was given, then writes it in one transaction."""
