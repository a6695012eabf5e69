import type { Codec } from "./codec.ts";
import { multiByteCodec } from "./multi-byte.ts";
import { ascii, latin1, singleByteCodec } from "./single-byte.ts";
import { utf8, utf8WithSignature } from "./utf8.ts";

const unicode: Readonly<Record<string, Codec>> = {
  utf_8: utf8,
  u8: utf8,
  utf: utf8,
  utf8: utf8,
  cp65001: utf8,
  utf_8_sig: utf8WithSignature,
  utf_8_sig_: utf8WithSignature,
};

const asciiNames = new Set([
  "ascii",
  "646",
  "us_ascii",
  "us",
  "ansi_x3.4_1968",
  "ansi_x3_4_1968",
  "iso646_us",
  "iso_646.irv_1991",
  "cp367",
  "csascii",
  "ibm367",
  "iso_ir_6",
]);
const latin1Names = new Set([
  "latin_1",
  "iso8859_1",
  "iso_8859_1",
  "iso8859",
  "iso_8859_1_1987",
  "8859",
  "cp819",
  "csisolatin1",
  "ibm819",
  "iso_ir_100",
  "l1",
  "latin",
  "latin1",
]);

/** Python codec name to the label by which WHATWG knows the same table; only those whose tables agree or are corrected. */
const singleByteLabels: Readonly<Record<string, string>> = {
  iso8859_2: "iso-8859-2",
  iso8859_3: "iso-8859-3",
  iso8859_4: "iso-8859-4",
  iso8859_5: "iso-8859-5",
  iso8859_6: "iso-8859-6",
  iso8859_7: "iso-8859-7",
  iso8859_8: "iso-8859-8",
  iso8859_10: "iso-8859-10",
  iso8859_13: "iso-8859-13",
  iso8859_14: "iso-8859-14",
  iso8859_15: "iso-8859-15",
  iso8859_16: "iso-8859-16",
  koi8_r: "koi8-r",
  koi8_u: "koi8-u",
  cp866: "ibm866",
  cp1250: "windows-1250",
  cp1251: "windows-1251",
  cp1252: "windows-1252",
  cp1253: "windows-1253",
  cp1254: "windows-1254",
  cp1255: "windows-1255",
  cp1256: "windows-1256",
  cp1257: "windows-1257",
  cp1258: "windows-1258",
  mac_roman: "macintosh",
  mac_cyrillic: "x-mac-cyrillic",
};

const multiByteLabels: Readonly<Record<string, string>> = {
  shift_jis: "shift_jis",
  cp932: "shift_jis",
  euc_jp: "euc-jp",
  gb2312: "gbk",
  gbk: "gbk",
  cp936: "gbk",
  big5: "big5",
  cp950: "big5",
  euc_kr: "euc-kr",
  cp949: "euc-kr",
};

/** Python's aliases (`encodings/aliases.py`) for the codecs above. */
const aliases: Readonly<Record<string, string>> = {
  latin2: "iso8859_2",
  l2: "iso8859_2",
  latin3: "iso8859_3",
  l3: "iso8859_3",
  latin4: "iso8859_4",
  l4: "iso8859_4",
  cyrillic: "iso8859_5",
  arabic: "iso8859_6",
  greek: "iso8859_7",
  greek8: "iso8859_7",
  hebrew: "iso8859_8",
  latin6: "iso8859_10",
  l6: "iso8859_10",
  latin7: "iso8859_13",
  l7: "iso8859_13",
  latin8: "iso8859_14",
  l8: "iso8859_14",
  latin9: "iso8859_15",
  l9: "iso8859_15",
  latin10: "iso8859_16",
  l10: "iso8859_16",
  windows_1250: "cp1250",
  "1250": "cp1250",
  windows_1251: "cp1251",
  "1251": "cp1251",
  windows_1252: "cp1252",
  "1252": "cp1252",
  windows_1253: "cp1253",
  "1253": "cp1253",
  windows_1254: "cp1254",
  "1254": "cp1254",
  windows_1255: "cp1255",
  "1255": "cp1255",
  windows_1256: "cp1256",
  "1256": "cp1256",
  windows_1257: "cp1257",
  "1257": "cp1257",
  windows_1258: "cp1258",
  "1258": "cp1258",
  ibm866: "cp866",
  "866": "cp866",
  macroman: "mac_roman",
  macintosh: "mac_roman",
  maccyrillic: "mac_cyrillic",
  sjis: "shift_jis",
  shiftjis: "shift_jis",
  s_jis: "shift_jis",
  csshiftjis: "shift_jis",
  "932": "cp932",
  ms932: "cp932",
  mskanji: "cp932",
  windows_31j: "cp932",
  eucjp: "euc_jp",
  ujis: "euc_jp",
  u_jis: "euc_jp",
  euc_cn: "gb2312",
  gb2312_80: "gb2312",
  chinese: "gb2312",
  euccn: "gb2312",
  eucgb2312_cn: "gb2312",
  "936": "gbk",
  ms936: "gbk",
  big5_tw: "big5",
  csbig5: "big5",
  "950": "cp950",
  ms950: "cp950",
  euckr: "euc_kr",
  korean: "euc_kr",
  ksc5601: "euc_kr",
  ks_c_5601: "euc_kr",
  ks_c_5601_1987: "euc_kr",
  "949": "cp949",
  ms949: "cp949",
  uhc: "cp949",
};

/** The codec that Python's `codecs.lookup(name)` gives, for those that a source file can be written in; else `undefined`. */
export function lookupCodec(name: string): Codec | undefined {
  const normal = name.toLowerCase().replace(/[^a-z0-9.]+/g, "_");
  const known = unicode[normal];
  if (known !== undefined) return known;
  if (asciiNames.has(normal)) return ascii;
  if (latin1Names.has(normal)) return latin1;
  const iso = /^iso_?(8859_\d{1,2})$/.exec(normal);
  const canonical = iso !== null ? `iso${iso[1]}` : (aliases[normal] ?? normal);
  const single = singleByteLabels[canonical];
  if (single !== undefined) return singleByteCodec(canonical, single);
  const multi = multiByteLabels[canonical];
  return multi === undefined ? undefined : multiByteCodec(canonical, multi);
}
