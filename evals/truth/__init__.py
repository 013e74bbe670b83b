"""Truth that changes, measured on written histories."""
