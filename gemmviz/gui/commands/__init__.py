"""Everything the window can be told to do: actions, menus, palette, shortcuts."""
