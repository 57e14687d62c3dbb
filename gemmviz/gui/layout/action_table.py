"""Everything the window can be told to do, as one table: name, place in the menus, words, keys."""

from __future__ import annotations

from gemmviz.domain.terms import COMPILED_NOTE
from gemmviz.gui.commands.actions import ActionSpec
from gemmviz.gui.memory.page import MEMORY
from gemmviz.gui.pages.table import PAGES

FILE, EDIT, RUN, VIEW, HELP = "File", "Edit", "Run", "View", "Help"
SECTIONS = (FILE, EDIT, RUN, VIEW, HELP)
TABS = (MEMORY, *(page.title for page in PAGES))

ACTIONS = (
    ActionSpec("newAction", FILE, "&New session", ("Ctrl+N",), "new", "Start an empty session"),
    ActionSpec("openAction", FILE, "&Open session…", ("Ctrl+O",), "open", "Open a saved session (.gemmviz)"),
    ActionSpec(
        "openKernelAction",
        FILE,
        "Open &kernel file…",
        ("Ctrl+Shift+O",),
        "kernel",
        "Add a kernel file (.cu, .cl, .ptx or .py)",
    ),
    ActionSpec("saveAction", FILE, "&Save", ("Ctrl+S",), "save", "Save the session", new_part=True),
    ActionSpec("saveAsAction", FILE, "Save &as…", ("Ctrl+Shift+S",), "save", "Save the session under another name"),
    ActionSpec(
        "exportViewAction",
        FILE,
        "&Export this view…",
        ("Ctrl+E",),
        "export",
        "Save or copy what is on the screen as a picture, with title, size and preview",
        new_part=True,
    ),
    ActionSpec(
        "exportAction",
        FILE,
        "Export &more: film, GIF, tables…",
        ("Ctrl+Shift+E",),
        "",
        "Save charts, pictures of memory, animations (GIF, MP4) and tables as files",
    ),
    ActionSpec(
        "handoutAction",
        FILE,
        "&Handout…",
        ("Ctrl+Alt+E",),
        "",
        "Save results, charts, pictures, sources and terms as pages to print (PDF)",
    ),
    ActionSpec("quitAction", FILE, "&Quit", ("Ctrl+Q",), "", "Close the window", new_part=True),
    ActionSpec("undoAction", EDIT, "&Undo", ("Ctrl+Z",), "undo", "Undo the last change"),
    ActionSpec("redoAction", EDIT, "&Redo", ("Ctrl+Shift+Z", "Ctrl+Y"), "redo", "Redo the change"),
    ActionSpec(
        "copyAction",
        EDIT,
        "&Copy",
        ("Ctrl+C",),
        "copy",
        "Copy the chart as picture and data, pictures of memory or of a lesson, or chosen rows",
        new_part=True,
    ),
    ActionSpec("deleteAction", EDIT, "&Delete runs", (), "trash", "Remove the chosen rows from the session"),
    ActionSpec(
        "editKernelAction",
        EDIT,
        "&Edit chosen kernel",
        ("F2",),
        "",
        "Edit the file of the chosen kernel, or a copy of it",
    ),
    ActionSpec(
        "clearChosenAction", EDIT, "C&lear selection", ("Esc",), "", "Clear the selection of element, thread and warp"
    ),
    ActionSpec(
        "runAction", RUN, "&Run", ("F5", "Ctrl+Return"), "run", "Time and check the chosen kernel and the ticked ones"
    ),
    ActionSpec(
        "recordAction",
        RUN,
        "Re&cord",
        ("F6",),
        "record",
        "Record the chosen kernel's memory accesses: all blocks of a small grid, otherwise one block",
    ),
    ActionSpec(
        "recordWrittenAction", RUN, "Record as &written", (), "", "Record the accesses of the source, line by line"
    ),
    ActionSpec(
        "recordCompiledAction",
        RUN,
        "Record as compile&d",
        (),
        "",
        f"Record the accesses that NVIDIA's compiler left. {COMPILED_NOTE}",
    ),
    ActionSpec(
        "recordBothAction",
        RUN,
        "Record &both forms",
        (),
        "",
        f"Make one recording as written and one as compiled, shown side by side. {COMPILED_NOTE}",
    ),
    ActionSpec("ladderAction", RUN, "Run &ladder", ("F7",), "ladder", "Run every kernel that this device can run"),
    ActionSpec(
        "sweepAction", RUN, "&Sweep", ("F8",), "sweep", "Time the chosen kernel with every setting of its parameters"
    ),
    ActionSpec(
        "settingsAction",
        RUN,
        "E&xamine settings",
        ("Shift+F8",),
        "",
        "Registers, occupancy, requests, bank conflicts and the result of every setting, without a GPU",
    ),
    ActionSpec(
        "scheduleAction",
        RUN,
        "Record block sc&hedule",
        ("F9",),
        "",
        "Record which multiprocessor of an NVIDIA GPU runs which block, and when",
    ),
    ActionSpec(
        "refereeAction",
        RUN,
        "&Judge",
        ("F4",),
        "",
        "Examine the chosen kernel: results, bounds, arithmetic, races, order of blocks",
    ),
    ActionSpec("roofsAction", RUN, "Measure r&oofs", (), "", "Measure the device's peak bandwidth and peak FLOP/s"),
    ActionSpec(
        "machineCodeAction", RUN, "Show &machine code", (), "", "PTX and SASS of the chosen kernel or run, for any GPU"
    ),
    ActionSpec(
        "cancelAction",
        RUN,
        "C&ancel",
        ("Shift+Esc",),
        "stop",
        "Stop what is running; finished results are kept",
        new_part=True,
    ),
    *(
        ActionSpec(f"tab{name}Action", VIEW, f"&{number} {name}", (f"Alt+{number}",), "", f"Show {name.lower()}")
        for number, name in enumerate(TABS, 1)
    ),
    ActionSpec("firstPageAction", VIEW, "&First page", (), "", "Show lessons, examples and ways to begin"),
    ActionSpec("themeLight", VIEW, "Theme: &light", (), "sun", "Light colours", "theme", new_part=True),
    ActionSpec("themeDark", VIEW, "Theme: &dark", (), "moon", "Dark colours", "theme"),
    ActionSpec(
        "themeAuto",
        VIEW,
        "Theme: as the s&ystem",
        (),
        "auto",
        "Follow the system theme",
        "theme",
    ),
    ActionSpec(
        "reduceMotionAction",
        VIEW,
        "Reduce &motion",
        (),
        "",
        "Move tiles in one step, without animation",
        new_part=True,
        checkable=True,
    ),
    ActionSpec(
        "presentAction",
        VIEW,
        "&Presentation",
        ("F11",),
        "",
        "Show the picture or chart alone, full screen, in large type",
        new_part=True,
    ),
    ActionSpec(
        "fullScreenAction",
        VIEW,
        "F&ull screen",
        ("Shift+F11",),
        "",
        "Show the window on the whole screen, or give the screen back (Esc)",
    ),
    ActionSpec(
        "foldAllAction",
        VIEW,
        "Fold or unfold all pa&nels",
        ("F12",),
        "",
        "Fold all panels to strips at the edges, or unfold them again",
        new_part=True,
    ),
    ActionSpec(
        "foldLeftAction",
        VIEW,
        "Fold or unfold the l&eft panel",
        ("Ctrl+B",),
        "",
        "Fold the panel at the left to a strip, or unfold it again",
    ),
    ActionSpec(
        "foldBottomAction",
        VIEW,
        "Fold or unfold the &bottom panel",
        ("Ctrl+J",),
        "",
        "Fold the panel at the bottom to a strip, or unfold it again",
    ),
    ActionSpec(
        "foldRightAction",
        VIEW,
        "Fold or unfold the ri&ght panels",
        ("Ctrl+Shift+B",),
        "",
        "Fold the panels at the right to a strip, or unfold them again",
    ),
    ActionSpec("resetLayoutAction", VIEW, "&Reset layout", (), "layout", "Restore the default layout", new_part=True),
    ActionSpec(
        "paletteAction",
        HELP,
        "Command &palette…",
        ("Ctrl+K", "Ctrl+Shift+P"),
        "search",
        "Find a command, control, kernel, lesson, preset, recording, page, example or term",
    ),
    ActionSpec(
        "lessonsAction",
        HELP,
        "&Lessons",
        (),
        "lesson",
        "Show the lessons on the first page",
    ),
    ActionSpec(
        "glossaryAction",
        HELP,
        "&Glossary",
        (),
        "",
        "Look up a term: what it means, and the formula of each figure",
    ),
    ActionSpec("shortcutsAction", HELP, "&Keyboard shortcuts", ("F1",), "keyboard", "All keys in one list"),
    ActionSpec("aboutAction", HELP, "&About gemmviz", (), "info", "Versions and licences", new_part=True),
)
