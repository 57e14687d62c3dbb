"""The pages of figures: the table of them, and how they are filled."""
