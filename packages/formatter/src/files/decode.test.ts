import { describe, expect, test } from "vitest";
import { decodeSource, encodeSource } from "./decode.ts";

const bytes = (text: string): Uint8Array => Buffer.from(text, "latin1");

describe("decodeSource", () => {
  test.each([
    ["x = 1\n", "utf-8", "\n"],
    ["x = 1\r\ny = 2\n", "utf-8", "\r\n"],
    ["x = 1\ny = 2\r\n", "utf-8", "\n"],
    ["x = 1\ry = 2\r", "utf-8", "\r"],
    ["x\ry\r\n", "utf-8", "\r"],
    ["", "utf-8", "\n"],
    ["\xef\xbb\xbfx = 1\n", "utf-8-sig", "\n"],
    ["# -*- coding: latin-1 -*-\nx = '\xe9'\n", "latin-1", "\n"],
    ["#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\nx = '\x80'\n", "cp1252", "\n"],
    ["# coding: us-ascii\n", "ascii", "\n"],
    ["# coding: euc-jp\nx = '\xa4\xa2'\n", "euc_jp", "\n"],
    ["# coding: cp949\nx = '\x81A\xb0\xa1\xc6R\xa2\xe6 \x85\x41'\n", "cp949", "\n"],
    ["# coding: shift_jis\nx = '\x81\x60\x81\x7c\x83\x5c'\n", "shift_jis", "\n"],
    ["# coding: gb18030\nx = '\xd6\xd0 \x81\x30\x84\x36 \x95\x32\x82\x36'\n", "gb18030", "\n"],
    ["# coding: iso-8859-9\nx = '\xfd'\n", "iso8859_9", "\n"],
    ["# coding: IBM437\nx = '\x82'\n", "cp437", "\n"],
    ["# coding: tis-620\nx = '\xa1'\n", "tis_620", "\n"],
    ["x = 1\n\n# coding: foobar\n", "utf-8", "\n"],
    ["x = 1\n# coding: foobar\n", "utf-8", "\n"],
  ])("%j is %s and survives the way there and back", (text, codec, newline) => {
    const source = decodeSource(bytes(text));
    expect(source.codec.name).toBe(codec);
    expect(source.newline).toBe(newline);
    expect(source.contents).not.toContain("\r");
    if (!/\r\n.*[^\r]\n|[^\r]\n.*\r\n|\r[^\n].*\n/s.test(text))
      expect(Buffer.from(encodeSource(source.contents, source)).toString("latin1")).toBe(text);
  });

  test.each([
    ["cp949", "\x81A\xb0\xa1\xc6R\xa2\xe6a", "\uac02\uac00\ud7a3\u20aca"],
    ["shift_jis", "\x81\x60\x81\x7c\x81\xca\x83\x5c", "\u301c\u2212\u00ac\u30bd"],
    ["cp932", "\x81\x60\x81\x7c\x87\x40", "\uff5e\uff0d\u2460"],
    ["euc_jp", "\xa1\xc1\xa1\xdd", "\u301c\u2212"],
    ["gb2312", "\xa1\xa4\xa1\xaa", "\u30fb\u2015"],
    ["big5", "\xa1\x45\xa1\xe3", "\u2022\u223c"],
  ])("what %s says in %j is what Python reads: %j", (name, text, characters) => {
    const source = decodeSource(bytes(`# coding: ${name}\n# ${text}\n`));
    expect(source.contents).toBe(`# coding: ${name}\n# ${characters}\n`);
    expect(Buffer.from(encodeSource(source.contents, source)).toString("latin1")).toContain(text);
  });

  test.each([
    ["euc_kr", "\x81A"],
    ["big5", "\x80"],
    ["cp950", "\xc6\xa1"],
    ["shift_jis", "\x82\xa0\x1a"],
    ["cp932", "\x82\xa0\x7f"],
    ["cp949", "\xb0\xa1\x81"],
  ])("%s: %j is not read for something else", (name, text) => {
    expect(() => decodeSource(bytes(`# coding: ${name}\n# ${text}\n`))).toThrow("can't decode the file");
  });

  test.each([
    ["# coding: foobar\n", "unknown encoding: foobar"],
    ["# -*- coding: constructor -*-\n", "unknown encoding: constructor"],
    ["# coding: __proto__\n", "unknown encoding: __proto__"],
    ["# coding: -\n", "unknown encoding: -"],
    ["x = '\xe9'\n", "invalid or missing encoding declaration"],
    [
      "a = 1\nb = 2\nc = 3\nx = '\xe9'\n",
      "'utf-8' codec can't decode byte 0xe9 in position 23: invalid continuation byte",
    ],
    ["\n\n\xff\n", "'utf-8' codec can't decode byte 0xff in position 2: invalid start byte"],
    ["\n\n\xe2\x82", "'utf-8' codec can't decode bytes in position 2-3: unexpected end of data"],
    ["\xef\xbb\xbf# coding: latin-1\n", "encoding problem: utf-8"],
    ["\xef\xbb\xbf# coding: hex\n", "encoding problem: utf-8"],
    ...["base64", "Base_64", "bz2", "hex_codec", "quoted-printable", "ROT13", "rot-13", "uu", "zip"].map(
      (name) => [
        `# coding: ${name}\n`,
        `'${name}' is not a text encoding; use codecs.open() to handle arbitrary codecs`,
      ],
    ),
    ["# coding: Undefined\n", "undefined encoding"],
    [
      "# coding: ascii\n\xe9\n",
      "'ascii' codec can't decode byte 0xe9 in position 16: ordinal not in range(128)",
    ],
  ])("%j is refused in Python's words: %s", (text, message) => {
    expect(() => decodeSource(bytes(text))).toThrow(message);
  });

  test("a character that the encoding lacks is refused on the way back", () => {
    const source = decodeSource(bytes("# coding: latin-1\n"));
    expect(() => encodeSource("x = '€'\n", source)).toThrow(
      "'latin-1' codec can't encode character '\\u20ac' in position 5",
    );
  });
});
