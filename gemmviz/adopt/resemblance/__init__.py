"""What a kernel looks like of which no product was proven."""
