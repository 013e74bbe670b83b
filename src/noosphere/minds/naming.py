"""How a mind is named: by the slug under which a home knows it, or by the path of its file."""


def is_path(name: str) -> bool:
    """Whether a mind was named by the path of its file."""
    return "/" in name or "\\" in name or name.endswith(".db")
