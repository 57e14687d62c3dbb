"""The animation of a recording as GIF, MP4 and numbered PNG files: plan, pictures, encoders, and the form that asks."""
