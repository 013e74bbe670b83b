"""Language models behind one narrow port: messages and a JSON Schema in, a checked value out."""
