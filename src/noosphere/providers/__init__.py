"""Models behind narrow ports; each runtime is imported only inside its own adapter, and only when used."""
