"""What is not saved yet, kept on the disk as it comes in, and found again after a window that did not end well.

`ROOT/recovery/ID/` belongs to one window: `000001.gemmviz` … are sessions of a few results each, `head.gemmviz` is
the session without results, `manifest.json` says which results of which file make up the session. `ID.lock` is locked
as long as that window lives. `ROOT/recovery/damaged/` holds files that could not be read.
"""
