"""Writes src/util/generated/width-table.ts: code point ranges two columns wide, zero-width ones left out.

Run with the wcwidth package installed, in the version that the header of the table names:
    pip install wcwidth==0.2.14 && python tools/make-width-table.py > src/util/generated/width-table.ts
"""

import wcwidth

version = wcwidth.list_versions()[-1]
ranges: list[list[int]] = []
for code_point in range(0x110000):
    if wcwidth.wcwidth(chr(code_point), unicode_version=version) != 2:
        continue
    if ranges and ranges[-1][1] == code_point - 1:
        ranges[-1][1] = code_point
    else:
        ranges.append([code_point, code_point])

print(
    f"// Made by tools/make-width-table.py from wcwidth {wcwidth.__version__}, Unicode {version}."
)
print(
    "/** First and last code points of each range that is two columns wide, ascending. */"
)
print("export const wideRanges: readonly number[] = [")
for first, last in ranges:
    print(f"  {first}, {last},")
print("];")
