"""Writes src/files/encodings/generated/single-byte-tables.ts: Python's codecs of one byte that agree with ASCII.

Run with CPython, whose codecs the table repeats:
    python tools/make-codec-tables.py > src/files/encodings/generated/single-byte-tables.ts
"""

import encodings
import pkgutil
import platform
from encodings.aliases import aliases

HOLE = "\ufffd"
# Found by other means than a table, or no codecs for source files.
OTHERS = {"ascii", "latin_1", "iso8859_1", "raw_unicode_escape", "cp932"}


def decode(byte: int, name: str) -> str:
    try:
        return bytes([byte]).decode(name)
    except UnicodeDecodeError:
        return HOLE


def upper_half(name: str) -> str | None:
    """The characters of the bytes from 128 on; None when the codec is of another kind."""
    try:
        characters = [decode(byte, name) for byte in range(256)]
    except (LookupError, UnicodeError):
        return None
    if characters[:128] != [chr(byte) for byte in range(128)]:
        return None
    upper = characters[128:]
    is_table = all(len(character) == 1 for character in upper)
    return "".join(upper) if is_table and upper.count(HOLE) <= 64 else None


def quoted(text: str) -> str:
    return "".join(
        (
            character
            if character.isalnum() and ord(character) < 0x590
            else f"\\u{ord(character):04x}"
        )
        for character in text
    )


print(
    f"// Made by tools/make-codec-tables.py from CPython {platform.python_version()}."
)
print(
    "/** By Python's name: the characters of the bytes from 128 on, U+FFFD where there is none, and other names. */"
)
print(
    "export const singleByteTables = (): Readonly<Record<string, readonly [string, string]>> => ({"
)
for module in sorted(
    module.name for module in pkgutil.iter_modules(encodings.__path__)
):
    characters = None if module in OTHERS else upper_half(module)
    if characters is not None:
        names = " ".join(
            sorted(alias for alias, target in aliases.items() if target == module)
        )
        print(f'  {module}: ["{quoted(characters)}", "{names}"],')
print("});")
