"""One file per export format; each turns a source into items and rejects, and knows nothing of a mind."""
