"""The command line. Commands import what they need when they run, so that `--help` is quick."""
