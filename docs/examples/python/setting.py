# SPDX-License-Identifier: MIT-0
import os
import re
import sys


def setting(name, pattern, default=""):
    """Reads an environment variable. Ends the program if its value does not match."""
    value = os.environ.get(name, default)
    if not re.fullmatch(pattern, value):
        sys.exit(f"{name} is missing or malformed.")
    return value
