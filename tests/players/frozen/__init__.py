"""Players that do not change any more, as opponents of those that do."""
