import type { Codec } from "./codec.ts";
import { normalCodecName } from "./codec-name.ts";
import { multiByteCodec } from "./multi-byte.ts";
import { ascii, latin1, singleByteCodec } from "./single-byte.ts";
import { utf8, utf8WithSignature } from "./utf8.ts";

// Maps, because a name comes from outside: an object also has members such as `constructor`.
const unicode = new Map<string, Codec>(
  Object.entries({
    utf_8: utf8,
    u8: utf8,
    utf: utf8,
    utf8: utf8,
    utf8_ucs2: utf8,
    utf8_ucs4: utf8,
    cp65001: utf8,
    utf_8_sig: utf8WithSignature,
    utf_8_sig_: utf8WithSignature,
  }),
);

const asciiNames = new Set([
  "ascii",
  "646",
  "us_ascii",
  "us",
  "ansi_x3.4_1968",
  "ansi_x3.4_1986",
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

const multiByteLabels = new Map<string, string>(
  Object.entries({
    shift_jis: "shift_jis",
    cp932: "shift_jis",
    euc_jp: "euc-jp",
    gb2312: "gbk",
    gbk: "gbk",
    gb18030: "gb18030",
    cp936: "gbk",
    big5: "big5",
    cp950: "big5",
    euc_kr: "euc-kr",
    cp949: "euc-kr",
  }),
);

/** Python's aliases (`encodings/aliases.py`) for the codecs above. */
const aliases = new Map<string, string>(
  Object.entries({
    sjis: "shift_jis",
    shiftjis: "shift_jis",
    s_jis: "shift_jis",
    csshiftjis: "shift_jis",
    "932": "cp932",
    ms932: "cp932",
    mskanji: "cp932",
    ms_kanji: "cp932",
    windows_31j: "cp932",
    eucjp: "euc_jp",
    ujis: "euc_jp",
    u_jis: "euc_jp",
    euc_cn: "gb2312",
    gb2312_80: "gb2312",
    chinese: "gb2312",
    euccn: "gb2312",
    csiso58gb231280: "gb2312",
    gb2312_1980: "gb2312",
    iso_ir_58: "gb2312",
    eucgb2312_cn: "gb2312",
    "936": "gbk",
    ms936: "gbk",
    gb18030_2000: "gb18030",
    big5_tw: "big5",
    csbig5: "big5",
    "950": "cp950",
    ms950: "cp950",
    euckr: "euc_kr",
    korean: "euc_kr",
    ksx1001: "euc_kr",
    ks_x_1001: "euc_kr",
    ksc5601: "euc_kr",
    ks_c_5601: "euc_kr",
    ks_c_5601_1987: "euc_kr",
    "949": "cp949",
    ms949: "cp949",
    uhc: "cp949",
  }),
);

/** The codec that Python's `codecs.lookup(name)` gives, for those that a source file can be written in; else `undefined`. */
export function lookupCodec(name: string): Codec | undefined {
  const normal = normalCodecName(name);
  const known = unicode.get(normal);
  if (known !== undefined) return known;
  if (asciiNames.has(normal)) return ascii;
  if (latin1Names.has(normal)) return latin1;
  const canonical = aliases.get(normal) ?? normal;
  const multi = multiByteLabels.get(canonical);
  return multi === undefined ? singleByteCodec(normal) : multiByteCodec(canonical, multi);
}
