"""What this program is and runs on."""
