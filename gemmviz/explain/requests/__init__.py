"""What one request of a warp costs and why, in figures and in words; and what another layout would cost."""
