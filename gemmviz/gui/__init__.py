"""The desktop application. Widgets receive values and emit values; main_window.py alone wires them."""
