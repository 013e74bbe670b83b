"""What is learnt from live exchanges, measured on written ones."""
