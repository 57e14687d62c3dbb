"""Draws the picture part by part, on anything that can be painted on."""
