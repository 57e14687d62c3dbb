"""Which sizes a description is tried at, and which of them a kernel takes."""
