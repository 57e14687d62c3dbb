"""The bank stage and the coalescing stage: one warp request large, and what it costs."""
