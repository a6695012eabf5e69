import { expect, it } from "vitest";
import { GatewayError } from "../../../contract/errors.ts";
import type { RecordTarget } from "../../../platform/config/read/read-callbacks.ts";
import { makeLogger } from "../../../platform/log/logger.ts";
import type { Upstream, UpstreamRequest } from "../../../platform/transport/upstream.ts";
import { RecordSender, type SenderParts } from "./record-sender.ts";

type Answer = number | "away" | "silent";

const SECRET = "hush-hush-hush";
const target: RecordTarget = {
  name: "billing",
  url: `https://logs.example.com/${SECRET}`,
  headers: { authorization: `Bearer ${SECRET}` },
  ofSuccesses: true,
  ofFailures: true,
  format: "json_array",
  batchSize: 3,
  flushInterval: 0.01,
  timeout: 1,
};

/** A target with its answers in their order; the last one goes on for ever. Its end is not cut short by a slow machine. */
function open(answers: Answer[], over: Partial<RecordTarget> = {}, own: Partial<SenderParts> = {}) {
  const taken: string[] = [];
  const requests: UpstreamRequest[] = [];
  const lines: Record<string, unknown>[] = [];
  const request = (async (given: UpstreamRequest) => {
    requests.push(given);
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
    if (answer === "away") throw new GatewayError(502, "api_error", `not at ${given.url}`);
    if (answer === "silent")
      await new Promise((_, reject) =>
        given.signal!.addEventListener("abort", () => reject(new Error("aborted"))),
      );
    if (answer === 200) taken.push(String(given.body));
    return { status: answer, headers: {}, body: { cancel: () => undefined } };
  }) as unknown as Upstream["request"];
  const logger = makeLogger("debug", { write: (line) => void lines.push(JSON.parse(line)) });
  const parts = { upstream: { request }, logger, firstPause: 1, lastWords: 300_000, ...own };
  const sender = new RecordSender({ ...target, ...over }, parts);
  const send = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at++) sender.add(JSON.stringify({ at }));
    await sender.close();
  };
  return { sender, send, taken, requests, lines };
}

const all = (count: number) => Array.from({ length: count }, (_, at) => ({ at }));

it.each([
  ["json_array", 3, "application/json"],
  ["ndjson", 3, "application/x-ndjson"],
  ["single", 8, "application/json"],
] as const)("posts all records in their order as %s", async (format, requests, type) => {
  const { send, taken, requests: made, lines } = open([200], { format });
  await send(8);
  const records = taken.flatMap((body) =>
    format === "ndjson"
      ? body
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line))
      : [JSON.parse(body)].flat(),
  );
  expect(records).toEqual(all(8));
  expect(made).toHaveLength(requests);
  for (const { headers } of made)
    expect(headers).toEqual({ "content-type": type, authorization: `Bearer ${SECRET}` });
  expect(lines).toEqual([]);
});

it.each([500, 503, 429, 408] as const)(
  "sends again what is answered with %i, and loses nothing",
  async (status) => {
    const { send, taken, lines } = open([status, status, 200]);
    await send(8);
    expect(taken.flatMap((body) => JSON.parse(body))).toEqual(all(8));
    expect(lines).toMatchObject([
      { level: 40, destination: "billing", host: "logs.example.com", reason: `status ${status}` },
    ]);
  },
);

it("gives up what is refused, and goes on with the others", async () => {
  const { send, taken, lines } = open([400, 200]);
  await send(8);
  expect(taken.flatMap((body) => JSON.parse(body))).toEqual(all(8).slice(3));
  expect(lines).toMatchObject([{ reason: "status 400" }, { level: 50, records: 3 }]);
});

it("gives up what is answered with an error again and again", async () => {
  const { sender, taken, requests, lines } = open([...Array<Answer>(10).fill(500), 200], { batchSize: 1 });
  sender.add("1");
  await expect.poll(() => requests.length).toBe(10);
  sender.add("2");
  await expect.poll(() => taken).toEqual(["[2]"]);
  await sender.close();
  expect(lines.at(-1)).toMatchObject({ level: 50, records: 1 });
});

it("waits for a target that is away, whatever else happens", async () => {
  const { sender, taken, requests } = open([...Array<Answer>(4).fill("away"), 200]);
  for (const { at } of all(8)) sender.add(JSON.stringify({ at }));
  await expect.poll(() => taken.length).toBe(3);
  expect(taken.flatMap((body) => JSON.parse(body))).toEqual(all(8));
  expect(requests).toHaveLength(7);
  await sender.close();
});

it.each(["away", "silent", 500] as const)(
  "ends with a target that is %s, and says what is lost",
  async (answer) => {
    const { send, lines } = open([answer], {}, { lastWords: 50 });
    await send(8);
    expect(lines.at(-1)).toMatchObject({
      level: 50,
      destination: "billing",
      records: 8,
      msg: "call records are lost",
    });
    expect(JSON.stringify(lines)).not.toContain(SECRET);
  },
);

it("keeps no more than there is room for", async () => {
  const { send, taken, lines } = open(["away", 200], { batchSize: 50 }, { maxWaiting: 5 });
  await send(8);
  expect(taken).toEqual([]);
  expect(lines.at(-1)).toMatchObject({ level: 50, records: 8 });
  expect(lines[0]).toMatchObject({ reason: expect.stringContaining("too many records wait") });
});
