"""Pictures, tables and the clipboard."""
