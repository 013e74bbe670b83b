"""Cross-encoders: models that read a question and a text together; somebody's own, never vendored."""
