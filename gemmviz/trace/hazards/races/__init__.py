"""Races within a block: who touches what, what orders it, and which accesses race."""
