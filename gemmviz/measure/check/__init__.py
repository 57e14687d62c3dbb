"""Whether C is right, and how far it is off: against float64 products and a correct kernel's bound."""
