"""What is written on the picture, and where: captions, figures, sums, the legend, the card of an element."""
