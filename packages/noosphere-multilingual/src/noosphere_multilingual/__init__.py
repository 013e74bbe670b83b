"""The files of the multilingual encoder; noosphere reads them in place."""
