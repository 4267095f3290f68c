"""The players of Squad Action before the ladder, as far as they are still played against."""
