import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everyOperation } from "./rules/everything.ts";
import { addressOf, examples, type Ids } from "./rules/requests.ts";
import { keys, type Stage, startStage } from "./rules/stage.ts";

/** Operations that take a form, and those that pass one on. */
const operations = (await everyOperation()).filter(
  ({ id, takesForm, method }) => takesForm || (id.startsWith("pass") && ["POST", "PATCH"].includes(method)),
);

let stage: Stage;
beforeAll(async () => {
  stage = await startStage({ timeouts: true });
});
afterAll(() => stage?.close());

const part = (name: string, more = ""): string =>
  `--x\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\nab`;
const file = (name: string): string => part(name, '; filename="a.jsonl"');

/** Beginnings of forms after each of which the rest is missing. */
const beginnings: Readonly<Record<string, string>> = {
  nothing: "",
  "half a boundary": "--",
  "a field": part("purpose"),
  "a file": file("file"),
  "a file of another name": file("other"),
  "a file of the name of a setting": file("__proto__"),
  "two files": `${file("file")}\r\n${file("file")}`,
  "three files": `${file("file")}\r\n${file("other")}\r\n${file("other")}`,
  "many files": `${file("file")}\r\n`.repeat(50),
  "a file behind a field": `${part("purpose")}\r\n${file("file")}`,
  "half a head": '--x\r\ncontent-disposition: form-data; name="file"; filen',
};

/** How the rest is missing. */
const ends = {
  "does not come": (rest: number) => ({ announced: rest, leaves: false }),
  "was not announced": () => ({ announced: 0, leaves: false }),
  "comes from a caller who left": (rest: number) => ({ announced: rest, leaves: true }),
} as const;

async function send(path: string, text: string, end: keyof typeof ends): Promise<string> {
  const { hostname, port } = new URL(stage.gateway.url);
  const { announced, leaves } = ends[end](1000);
  const socket = connect(Number(port), hostname).on("error", () => undefined);
  const closed = new Promise((done) => socket.once("close", done));
  let answer = "";
  socket.on("data", (chunk: Buffer) => {
    answer += chunk.toString("latin1");
  });
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${keys.alice}\r\nconnection: close\r\n` +
      `content-type: multipart/form-data; boundary=x\r\ncontent-length: ${text.length + announced}\r\n\r\n${text}`,
  );
  if (leaves) {
    await sleep(20);
    socket.resetAndDestroy();
  }
  await closed;
  return / (\d{3}) /.exec(answer)?.[1] ?? "none";
}

describe.each(operations)("A form for $method $path", (operation) => {
  it.each(Object.keys(ends) as (keyof typeof ends)[])(
    "of which the rest %s is an error of the caller's",
    async (end) => {
      let ids: Ids | undefined;
      const { needs } = examples[operation.id]!;
      // The short time-out may hit its making too.
      while (ids === undefined)
        ids = needs === undefined ? {} : await stage.make(needs).catch(() => undefined);
      const path = addressOf(operation, operation.path, ids);
      const passes = operation.id.startsWith("pass");
      const answers = await Promise.all(
        Object.entries(beginnings).map(async ([name, text]) => [name, await send(path, text, end)]),
      );
      if (end !== "comes from a caller who left")
        for (const [name, status] of answers)
          expect([name, status]).toEqual([name, expect.stringMatching(passes ? /^[245]/ : /^4/)]);
      expect((await stage.gateway.call("/health/liveliness")).status).toBe(200);
    },
  );
});

it("is read by parsers from one place, whose files end the process in no way", () => {
  const source = resolve(import.meta.dirname, "../src");
  const makers = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .filter((name) => /^import (?!type)[^;]*"busboy"/m.test(readFileSync(join(source, name), "utf8")));
  expect(makers).toEqual(["core/http/multipart/form-parser.ts"]);
});
