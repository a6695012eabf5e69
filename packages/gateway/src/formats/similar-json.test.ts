import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { parseJsonObject } from "../contract/json.ts";

/** With the paths for speed in use, and without. */
const parsers = [await parserWith("on"), await parserWith("off")] as const;

async function parserWith(speedPaths: string) {
  vi.stubEnv("PORTICO_SPEED_PATHS", speedPaths);
  vi.resetModules();
  const { SimilarJson } = await import("./similar-json.ts");
  vi.unstubAllEnvs();
  return [speedPaths, SimilarJson] as const;
}

const text = fc.oneof(
  fc.string(),
  fc.constantFrom("", " fox", "\n", '"', "\\", "é🙂", "content", '"content":"x"', "\ud800", "\u0000"),
);
const number = fc.oneof(fc.nat(), fc.constantFrom(0, -1, 1.5, 1e21, 1_234_567_890_123_456));
const anything = fc.oneof(text, number, fc.constant(null), fc.jsonValue());

/** Data of one event in all formats, with members that may be missing or of another type. */
const event = fc.oneof(
  fc.record(
    {
      id: fc.constantFrom("a", "b"),
      choices: fc.tuple(
        fc.record(
          {
            index: fc.constantFrom(0, 1),
            delta: fc.record({ content: anything, role: text }, { requiredKeys: [] }),
          },
          { requiredKeys: [] },
        ),
      ),
      obfuscation: anything,
    },
    { requiredKeys: [] },
  ),
  fc.record({
    type: fc.constant("delta"),
    index: fc.constantFrom(0, 1),
    delta: fc.record({ type: text, text }),
  }),
  fc.record(
    {
      type: fc.constant("response.output_text.delta"),
      sequence_number: number,
      delta: anything,
      item: anything,
    },
    { requiredKeys: ["type"] },
  ),
);

/** How hosts write JSON. */
const written = fc
  .tuple(event, fc.constantFrom(undefined, 1))
  .map(([value, space]) => JSON.stringify(value, null, space));

/** What is not, or no longer, what a host means. */
const damaged = fc
  .tuple(
    written,
    fc.nat(),
    fc.constantFrom("", '"', "\\", "0", ".5", "e1", "-", ",", "}", "\u0001", "\\u0063"),
  )
  .map(([json, at, put]) => {
    const place = at % (json.length + 1);
    return json.slice(0, place) + put + json.slice(place + (at % 2));
  });

describe.each(parsers)("SimilarJson with the paths for speed %s", (_, SimilarJson) => {
  it("gives what JSON.parse gives, whatever came before", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 3, arbitrary: written }, damaged), { maxLength: 12 }),
        (texts) => {
          const json = new SimilarJson();
          for (const data of texts) expect(json.parse(data)).toEqual(parseJsonObject(data));
        },
      ),
      { numRuns: 3000 },
    );
  });

  it("gives what JSON.parse gives for the same event with anything in a member's place", () => {
    const shapes: ((inner: string) => string)[] = [
      (inner) =>
        `{"id":"a","choices":[{"index":0,"delta":{"content":${inner}},"finish_reason":null}],"usage":null}`,
      (inner) =>
        `{"type":"content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": ${inner}}}`,
      (inner) =>
        `{"type":"response.output_text.delta","sequence_number":${inner},"delta":"x","obfuscation":"y"}`,
      (inner) =>
        `{"type":"response.output_text.delta","sequence_number":7,"delta":${inner},"obfuscation":${inner}}`,
      (inner) => `{"delta":{"text":"x"},"delta":{"text":${inner}}}`,
      (inner) => `{"delta":{"text":${inner}},"delta":"x"}`,
      (inner) => `{"\\u0064elta":"x","item":{"delta":${inner}}}`,
    ];
    const inner = fc.oneof(
      anything.map((value) => JSON.stringify(value) ?? "null"),
      fc.constantFrom(
        "7.0",
        "07",
        "7e1",
        "-0",
        "",
        "{}",
        '"a',
        'a"',
        '"a","b":"c"',
        '"a"}',
        "1,2",
        " 7 ",
        '"\t"',
      ),
    );
    fc.assert(
      fc.property(fc.constantFrom(...shapes), fc.array(inner, { maxLength: 8 }), (shape, values) => {
        const json = new SimilarJson();
        for (const data of ['"x"', "1", ...values, '"y"', "2"].map(shape))
          expect(json.parse(data)).toEqual(parseJsonObject(data));
      }),
      { numRuns: 3000 },
    );
  });
});

it("takes no member for another one of its name that has the same value", () => {
  const [[, SimilarJson]] = parsers;
  const shapes: ((one: string, other: string) => string)[] = [
    (one, other) => `{"item":{"text":"${one}"},"delta":{"text":"${other}"}}`,
    (one, other) => `{"delta":"${one}","item":{"delta":"${other}"}}`,
    (one, other) => `{"item":{"delta":"${one}"},"delta":"${other}"}`,
    (one, other) => `{"choices":[{"x":{"content":"${one}"},"delta":{"content":"${other}"}}]}`,
    (one, other) => `{"x":{"sequence_number":${one.length}},"sequence_number":${other.length},"delta":"a"}`,
    (one, other) => `{"x":"${one}","delta":"${other}"}`,
  ];
  const values = fc.array(fc.tuple(fc.constantFrom("a", "ab", "abc"), fc.constantFrom("a", "ab", "abc")));
  fc.assert(
    fc.property(fc.constantFrom(...shapes), values, (shape, pairs) => {
      const json = new SimilarJson();
      for (const data of pairs.map(([one, other]) => shape(one, other)))
        expect(json.parse(data)).toEqual(parseJsonObject(data));
    }),
    { numRuns: 500 },
  );
});

it("remembers an event and takes the next from it", () => {
  const [[, SimilarJson]] = parsers;
  const json = new SimilarJson();
  const first = json.parse('{"type":"x","sequence_number":1,"delta":"a"}');
  expect(json.parse('{"type":"x","sequence_number":2,"delta":"b"}')).toBe(first);
  expect(first).toEqual({ type: "x", sequence_number: 2, delta: "b" });
});
