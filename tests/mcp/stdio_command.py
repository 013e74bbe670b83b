"""Where the installed command lies."""

import sys
from pathlib import Path

COMMAND = str(Path(sys.executable).with_name("noosphere"))
