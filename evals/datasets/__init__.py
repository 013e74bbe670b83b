"""One file per benchmark: each reads its data into the same cases."""
