"""What the current request and the current frame cost: pure rules and texts, and the widgets that show them."""
