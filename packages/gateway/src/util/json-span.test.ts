import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "../../test/support/any-text.ts";
import { editMembers, memberNearEnd, memberSpans } from "./json-span.ts";

function edit(text: string, changes: Record<string, string | undefined>): string {
  return editMembers(Buffer.from(text), new Map(Object.entries(changes))).toString();
}

describe("memberSpans", () => {
  it("finds the members of any object that JSON can write", () => {
    fc.assert(
      fc.property(fc.dictionary(anyText, fc.jsonValue()), fc.constantFrom(0, 2), (object, indent) => {
        const text = JSON.stringify(object, null, indent);
        const bytes = Buffer.from(text);
        const found = memberSpans(bytes).map(({ key, valueStart, valueEnd }) => [
          key,
          JSON.parse(bytes.toString("utf8", valueStart, valueEnd)),
        ]);
        return isDeepStrictEqual(found, Object.entries(JSON.parse(text)));
      }),
    );
  });
});

describe("editMembers", () => {
  it("changes one value and no other byte", () => {
    const text = '{ "n": 12345678901234567890, "model" : "a" ,\n"s":"\\u00e9 \\"model\\": {" }';
    expect(edit(text, { model: '"b/c"' })).toBe(text.replace('"a"', '"b/c"'));
  });

  it("leaves members of nested objects alone", () => {
    const text = '{"metadata":{"model":"x","a":["}",{"b":"\\\\"}]},"model":"a"}';
    expect(edit(text, { model: '"b"' })).toBe(text.replace('"a"}', '"b"}'));
  });

  it("changes every duplicate, also under an escaped name", () => {
    expect(edit('{"model":"a","mo\\u0064el":"b"}', { model: '"c"' })).toBe('{"model":"c","mo\\u0064el":"c"}');
  });

  it("adds and removes members", () => {
    expect(edit("{}", { a: "1", b: undefined })).toBe('{"a":1}');
    expect(edit(' { "a" : 1 } ', { b: "[2]", c: "3" })).toBe(' { "a" : 1,"b":[2],"c":3 } ');
    expect(edit('{"a":1, "b":2, "c":3}', { b: undefined, c: "4" })).toBe('{"a":1,"c":4}');
    expect(edit('{"a":1}', { a: undefined })).toBe("{}");
  });

  it("agrees with changing the parsed object", () => {
    const member = fc.constantFrom("a", "b", "model", "é");
    fc.assert(
      fc.property(
        fc.dictionary(member, fc.jsonValue()),
        fc.dictionary(member, fc.option(fc.jsonValue())),
        (object, changes) => {
          const texts = Object.entries(changes).map(
            ([key, value]) => [key, value === null ? undefined : JSON.stringify(value)] as const,
          );
          const expected: Record<string, unknown> = JSON.parse(JSON.stringify(object));
          for (const [key, text] of texts) {
            if (text === undefined) delete expected[key];
            else expected[key] = JSON.parse(text);
          }
          const edited = editMembers(Buffer.from(JSON.stringify(object)), new Map(texts));
          expect(JSON.parse(edited.toString())).toEqual(expected);
        },
      ),
    );
  });
});

describe("editMembers with what a parser made of the text", () => {
  const editParsed = (text: string, changes: Record<string, string | undefined>): string =>
    editMembers(Buffer.from(text), new Map(Object.entries(changes)), JSON.parse(text) as object).toString();

  it("changes the same bytes wherever members stand", () => {
    const key = fc.constantFrom("model", "input", "s", 'x"model', "\\", "é");
    const member = fc.tuple(fc.oneof(key, fc.string()), fc.jsonValue());
    const change = fc.option(fc.jsonValue({ maxDepth: 1 }), { freq: 8 });
    fc.assert(
      fc.property(
        fc.array(member),
        fc.dictionary(key, change, { maxKeys: 3 }),
        fc.constantFrom(0, 1),
        (members, changed, indent) => {
          const text = JSON.stringify(Object.fromEntries(members), null, indent);
          const texts = Object.fromEntries(
            Object.entries(changed).map(([name, value]) => [
              name,
              value === null ? undefined : JSON.stringify(value),
            ]),
          );
          expect(editParsed(text, texts)).toBe(edit(text, texts));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("finds a member behind a conversation, whatever that quotes", () => {
    const messages = '"messages":[{"content":"\\"model\\": \\"a\\"","model":"x"}]';
    for (const [text, expected] of [
      [`{${messages},"model":"a"}`, `{${messages},"model":"b"}`],
      [`{"model":"a",${messages}}`, `{"model":"b",${messages}}`],
      [
        `{${messages},"model" : "a" ,"tools":[{"model":{}}]}`,
        `{${messages},"model" : "b" ,"tools":[{"model":{}}]}`,
      ],
      [`{${messages},"mod\\u0065l":"a"}`, `{${messages},"mod\\u0065l":"b"}`],
      [`{${messages},"x\\"model":"a"}`, `{${messages},"x\\"model":"a","model":"b"}`],
      [`{${messages}\n}`, `{${messages},"model":"b"\n}`],
    ] as const)
      expect(editParsed(text, { model: '"b"' })).toBe(expected);
  });
});

describe("memberNearEnd", () => {
  const near = (text: string): string | undefined => memberNearEnd(Buffer.from(text), "usage");
  const spanText = (text: string): string => {
    const bytes = Buffer.from(text);
    const { valueStart, valueEnd } = memberSpans(bytes).findLast(({ key }) => key === "usage")!;
    return bytes.toString("utf8", valueStart, valueEnd);
  };

  it("finds a member of the outermost object, whatever follows it", () => {
    expect(near('{"usage":1}')).toBe("1");
    expect(near(' { "a" : [1,{}] , "usage" : { "b" : "}" } , "c" : "x,\\"}" , "d":[{}] } \n')).toBe(
      '{ "b" : "}" }',
    );
    expect(near('{"text":"\\"usage\\":{}","usage":{"é":1}}')).toBe('{"é":1}');
  });

  it("finds nothing where the member is not the outermost object's", () => {
    for (const text of [
      "",
      "{}",
      '{"a":{"usage":1}}',
      '{"a":[{"usage":1}],"b":2}',
      '{"kind":"usage"}',
      '{"text":"\\"usage\\":1"}',
      '[{"usage":1}]',
      '{"usage":1',
      '{"usage":1},',
      '{"usage":1}{}',
      '{"usage":1,2}',
      '{"usage":1,"a" 2}',
      '{"usage":"x}',
      '{"x\\"usage":1}',
    ])
      expect(near(text)).toBeUndefined();
  });

  it("agrees with a parser on every object that has it at the end", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.jsonValue(),
        fc.nat(2),
        (members, usage, space) => {
          const { usage: _, ...rest } = members;
          const whole = JSON.stringify({ ...rest, usage }, null, space);
          // A member of the same name inside the value hides it; then a parser has to look.
          const hidden = JSON.stringify(usage).includes('"usage"');
          expect(near(whole)).toBe(hidden ? undefined : spanText(whole));
        },
      ),
    );
  });
});
