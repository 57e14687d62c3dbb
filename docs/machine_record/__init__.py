"""Figures of recordings on the PTX machine: what it is compared with."""
