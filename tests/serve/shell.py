"""Where the installed command and a shell lie."""

import shutil
import sys
from pathlib import Path

COMMAND = Path(sys.executable).with_name("noosphere")
BASH = shutil.which("bash") or "bash"
