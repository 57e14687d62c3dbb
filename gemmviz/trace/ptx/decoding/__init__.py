"""From what the warps of a block wrote down to its trace."""
