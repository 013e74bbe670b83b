"""Values and pure rules: what a mind is made of, without any file, model or network."""
