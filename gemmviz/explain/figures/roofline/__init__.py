"""The roofline: rates against operations per byte, and the roofs that a device has."""
