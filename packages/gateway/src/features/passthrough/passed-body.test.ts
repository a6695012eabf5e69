import { describe, expect, it } from "vitest";
import type { Exchange } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { readPassedBody } from "./passed-body.ts";

const WORD = "SECRET";
const ESCAPED = "\\u0053ECRET";

const read = (type: string, body: string | Buffer, isSeen = true) => {
  const bytes = Buffer.from(body);
  const exchange = { headers: { "content-type": type }, readBody: async () => bytes };
  return readPassedBody(exchange as unknown as Exchange, isSeen);
};

const types = [
  "application/json",
  "text/json; charset=utf-8",
  "text/plain",
  "text/plain; charset=UTF-8",
  "application/x-ndjson",
  "application/jsonl",
  "application/vnd.maker.v1",
  "application/octet-stream",
  "",
];

describe("readPassedBody", () => {
  it.each(types)("shows hooks what a reader of %j reads, however it is written", async (type) => {
    const bodies = [`{"a":{"b":"${ESCAPED}"}}`, ` {"a":["${ESCAPED}"]}\n`];
    if (!/json/.test(type) || /ndjson|jsonl/.test(type))
      if (type !== "")
        bodies.push(
          `["${ESCAPED}"]`,
          `"${ESCAPED}"`,
          `{"a":"${ESCAPED}"}\n{"a":1}\r\n`,
          `\uFEFF{"a":"${ESCAPED}"}`,
        );
    for (const body of bodies) {
      const { data, finished } = await read(type, body);
      expect([body, JSON.stringify(data)]).toEqual([body, expect.stringContaining(WORD)]);
      const masked = JSON.parse(JSON.stringify(data).replaceAll(WORD, "X")) as JsonObject;
      const sent = String((await finished(masked)).bytes);
      expect([body, sent.includes("ECRET"), sent.includes("X")]).toEqual([body, false, true]);
    }
  });

  it("shows the fields of a form in a line", async () => {
    const { data, finished } = await read("application/x-www-form-urlencoded", "a=%53ECRET&b=1+2&a=%26");
    expect(data).toEqual({
      text: [
        ["a", WORD],
        ["b", "1 2"],
        ["a", "&"],
      ],
    });
    expect(String((await finished(data)).bytes)).toBe("a=SECRET&b=1+2&a=%26");
  });

  it("leaves other texts and bytes as they are", async () => {
    for (const body of ["a SECRET", "{{ template }}", '"a","b"\n"c","d"\n']) {
      const { data, finished } = await read("text/plain", body);
      expect([data, String((await finished(data)).bytes)]).toEqual([{ text: body }, body]);
    }
    const picture = Buffer.from([0x89, 0x50, 0xff]);
    const { data, finished } = await read("image/png", picture);
    expect([data, (await finished(data)).bytes]).toEqual([{}, picture]);
  });

  it.each(["text/plain", "application/x-ndjson", "application/xml", "application/x-www-form-urlencoded"])(
    "refuses what hooks cannot read as %s",
    async (type) => {
      await expect(read(type, Buffer.from("SECRET\u00ff", "latin1"))).rejects.toMatchObject({ status: 400 });
      await expect(read(`${type}; charset=utf-16`, "S")).rejects.toMatchObject({ status: 415 });
      expect(await (await read(type, Buffer.from([0xff]), false)).finished({})).toEqual({
        bytes: Buffer.from([0xff]),
      });
    },
  );
});

describe("A form", () => {
  it("of more fields than others can wait for is refused, also where no hook looks", async () => {
    const body = "a&".repeat(1_000_000);
    const type = "application/x-www-form-urlencoded";
    await expect(read(type, body)).rejects.toMatchObject({ status: 400 });
    const { data, named } = await read(type, body, false);
    await expect(async () => named(data)).rejects.toMatchObject({ status: 400 });
  });

  it.each([true, false])("names its customer as it is sent, seen by hooks (%s)", async (isSeen) => {
    const form = new FormData();
    form.append("__proto__[user]", "x");
    form.append("user", "somebody");
    const body = new Response(form);
    const { data, named } = await read(
      body.headers.get("content-type")!,
      Buffer.from(await body.arrayBuffer()),
      isSeen,
    );
    expect(await named(data)).toMatchObject({ user: "somebody" });
    const changed = isSeen ? { form: [{ name: "user", text: "other" }] } : data;
    expect(await named(changed)).toMatchObject({ user: isSeen ? "other" : "somebody" });
    if (isSeen)
      for (const odd of [undefined, null, "a", [null, 1, {}]]) expect(await named({ form: odd })).toEqual({});
  });
});
