"""What the steps of lessons show, as pictures, films and handouts."""
