"""The process boundary: kernels run in a process of their own, which may crash, hang or be killed."""
