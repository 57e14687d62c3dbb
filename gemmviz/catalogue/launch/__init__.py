"""What a description says of a launch: expressions that become a launch at a size, and why a device refuses it."""
