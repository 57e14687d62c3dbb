"""The hardware's rules from the addresses of a warp request to sectors, wavefronts and banks: their one home."""
