import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDocument, stringify } from "yaml";
import { YamlError, YamlText } from "./yaml-text.ts";

const problemOf = (text: string): YamlError => {
  try {
    new YamlText(text);
  } catch (error) {
    expect(error).toBeInstanceOf(YamlError);
    return error as YamlError;
  }
  throw new Error(`${text} was taken`);
};

/** Something of most that YAML has; no member of a map is undefined, and no number differs in its sign alone. */
const value = fc.jsonValue({ maxDepth: 4 }).map((json) => JSON.parse(JSON.stringify(json)) as unknown);
const SNIPPETS = [": ", "- ", "\n", "  ", "'", '"', "{", "}", "[", "]", ", ", " #", "|\n", ">-\n"];
const SCALARS = ["true", "yes", "~", "2024-01-01", "a", "1"];
const BLOCKS = [
  "a: {k: v, l: 1}\nb:\n  k: v\n  l: 2\nc: d\n",
  "model_list:\n  - model_name: m\n    litellm_params: {model: openai/a, rpm: 1}\n  - {model_name: 'n', x: \"y\"}\n",
  "text: |\n  one\n  two\nfolded: >-\n  three\n  four\nempty:\nlist:\n- 1\n-\n- [a, b]\n",
];

describe("YamlText", () => {
  it("reads what another library writes", () => {
    fc.assert(
      fc.property(
        value,
        fc.constantFrom("BLOCK_LITERAL", "QUOTE_DOUBLE", "PLAIN"),
        fc.boolean(),
        (json, type, isFlow) => {
          const text = stringify(json, {
            defaultStringType: type,
            collectionStyle: isFlow ? "flow" : "block",
          });
          expect(new YamlText(text).value).toEqual(json);
        },
      ),
    );
  });

  it("takes no text for another value than another library does", () => {
    const edit = fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom(...SNIPPETS, ...SCALARS));
    fc.assert(
      fc.property(
        fc.constantFrom(...BLOCKS),
        fc.array(edit, { minLength: 1, maxLength: 4 }),
        (block, edits) => {
          const text = edits.reduce((before, [at, cut, snippet]) => {
            const place = at % (before.length + 1);
            return before.slice(0, place) + snippet + before.slice(place + cut);
          }, block);
          let read: YamlText;
          try {
            read = new YamlText(text);
          } catch (error) {
            expect(error).toBeInstanceOf(YamlError);
            return;
          }
          const other = parseDocument(text, { merge: true, uniqueKeys: false, logLevel: "silent" });
          // Either may refuse what the other takes: a tab, an unknown tag, a map as a key.
          if (other.errors.length > 0) return;
          const expected: unknown = other.toJS();
          // A key that is nothing is "null" here and "" there.
          if (!/(?:^|[\n{,?]) *:|"":|null/.test(text + JSON.stringify(read.value)))
            expect(read.value ?? null).toEqual(expected);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("understands a plain text as another library does", () => {
    const scalars =
      "1e3 .5 5. 0x1F 0o17 0123 +1 -0 1_000 .inf -.INF .nan ~ null NULL yes on True 2024-01-01 1:30 = <<";
    for (const scalar of scalars.split(" "))
      expect([scalar, new YamlText(scalar).value]).toEqual([scalar, parseDocument(scalar).toJS()]);
  });

  it("merges as another library does", () => {
    const text =
      "a: &a {k: 1, l: 2}\nb: &b {l: 3, m: 4}\nc: {<<: *a, k: 5}\nd: {k: 6, <<: [*a, *b]}\ne: {<<: {x: *a}}\n";
    expect(new YamlText(text).value).toEqual(parseDocument(text, { merge: true }).toJS());
  });

  it("says where each key, item and value of a list stands", () => {
    const text = "top:\n  - \"quoted\": 1\n    next: [2, {deep: 3}]\n  -\n'other': x\n";
    const yaml = new YamlText(text);
    const at = (...path: (string | number)[]) => text.slice(yaml.offsetOf(path)).split(/[\n,:]/, 1)[0];
    expect(at("top")).toBe("top");
    expect(at("top", 0, "quoted")).toBe('"quoted"');
    expect(at("top", 0, "next", 0)).toBe("[2".slice(1));
    expect(at("top", 0, "next", 1, "deep")).toBe("deep");
    expect(at("top", 0, "lacking", 7)).toBe('"quoted"');
    expect(at("top", 1)).toBe("top");
    expect(at("other")).toBe("'other'");
    expect(new YamlText("").offsetOf(["a"])).toBeUndefined();
  });

  it("knows the keys that stand there twice, not those that a merge brings as well", () => {
    const text = "a: &a {k: 1}\nb: {<<: *a, k: 2}\nc: {k: 3, j: 4, k: 5}\na: {k: 6}\n";
    const yaml = new YamlText(text);
    expect(yaml.value).toEqual({ a: { k: 6 }, b: { k: 2 }, c: { k: 5, j: 4 } });
    expect(yaml.repeated.map((offset) => text.slice(offset, offset + 4))).toEqual(["k: 5", "a: {"]);
  });

  it("takes aliases, but none that are endless or stand for too much", () => {
    expect(new YamlText("a: &a [1]\nb: [*a, *a]").value).toEqual({ a: [1], b: [[1], [1]] });
    const bomb = [
      "a0: &a0 [x]",
      ...Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${`*a${n}, `.repeat(9)}]`),
    ];
    const chain = [
      "a0: &a0 [x]",
      ...Array.from({ length: 5000 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}]`),
    ];
    for (const text of [
      "&a [*a]",
      "a: &a {b: *a}",
      bomb.join("\n"),
      chain.join("\n"),
      "[".repeat(200) + "]".repeat(200),
    ])
      expect(problemOf(text).message).toMatch(/aliases|nesting/);
  });

  it("quotes nothing of a text that it refuses", () => {
    for (const broken of [
      "sk-1: sk-2: x",
      "a: 'sk-1",
      "a: [sk-1",
      "\tsk-1",
      "a: @sk-1",
      "a: !sk-1 {}",
      "a: *sk-1",
      "a: !sk-1",
      "a: !!sk-1 x",
      "a: !s!sk-1 x",
      "a: &sk-1 *sk-2",
      "a: !<sk-1> x",
      "sk-1\n\0",
    ])
      expect(problemOf(`first: sk-0\n${broken}\nlast: sk-9\n`).message).not.toMatch(/sk-\d/);
  });
});
