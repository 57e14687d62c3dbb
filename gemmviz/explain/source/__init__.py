"""What each line of a source did and cost, and what a change of the text made of it."""
