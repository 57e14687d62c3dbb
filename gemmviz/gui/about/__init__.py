"""What this program is and runs on, and the terms it uses."""
