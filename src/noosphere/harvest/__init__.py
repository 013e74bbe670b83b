"""Import of people's old conversations and notes."""
