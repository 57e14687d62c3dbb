"""The pages of figures: one table of their plots, one of the pages themselves."""
