"""What the current request and the current phase cost: pure rules and texts, and the widgets that show them."""
