"""What Qt's SVG leaves undone."""
