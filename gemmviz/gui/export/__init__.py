"""Pictures, tables and animations, as files and as copies."""
