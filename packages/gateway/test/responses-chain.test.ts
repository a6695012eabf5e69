import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { JsonObject } from "../src/contract/json.ts";
import { spawnTestGateway, startTestGateway, type TestGateway } from "./support/gateway.ts";
import { responsesConfig } from "./support/responses.ts";

let simulator: Simulator;
let folder: string;

beforeAll(async () => {
  simulator = await startSimulator({ port: 0 });
  folder = mkdtempSync(join(tmpdir(), "portico-chain-"));
});

afterAll(async () => {
  await simulator.close();
  rmSync(folder, { recursive: true, force: true });
});

const turns = 30;
const models = ["gpt-4o", "claude", "gemini-2.5-flash"] as const;
const tools = ["weather", "time"].map((name) => ({
  type: "function",
  name,
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
}));

interface Item {
  readonly type: string;
  readonly call_id?: string;
  readonly name?: string;
  readonly content?: { readonly text: string }[];
}

/** Every third turn reasons and calls both tools; the turn after it brings what they gave. */
function inputOf(turn: number, before: readonly Item[]): unknown {
  const calls = before.filter(({ type }) => type === "function_call");
  if (calls.length > 0)
    return calls.map(({ call_id, name }) => ({
      type: "function_call_output",
      call_id,
      output: `${name} of turn ${turn}`,
    }));
  return turn % 3 === 0
    ? `[[sim:think]] [[sim:parallel]] turn ${turn}`
    : `[[sim:think]] [[sim:say said ${turn}]] turn ${turn}`;
}

/** What a chain says, turn by turn. */
async function runChain(
  modelOf: (turn: number) => string,
  gatewayOf: (turn: number) => Promise<TestGateway>,
): Promise<string[]> {
  const said: string[] = [];
  let previous: string | undefined;
  let output: Item[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const gateway = await gatewayOf(turn);
    const input = inputOf(turn, output);
    const answer = await gateway.call("/v1/responses", {
      body: {
        model: modelOf(turn),
        input,
        tools,
        reasoning: { effort: "low" },
        ...(previous === undefined ? {} : { previous_response_id: previous }),
      },
    });
    const response = (await answer.json()) as { id: string; output: Item[]; status: string };
    expect(answer.status, `turn ${turn} on ${modelOf(turn)}: ${JSON.stringify(response)}`).toBe(200);
    previous = response.id;
    output = response.output;
    said.push(
      output
        .filter(({ type }) => type !== "reasoning")
        .map(({ type, name, content }) => (type === "function_call" ? name : content?.[0]?.text))
        .join(" "),
    );
  }
  return said;
}

it("a chain of 30 turns with tools and reasoning, moved between three models and through two restarts, answers as an uninterrupted one", async () => {
  const options = { config: responsesConfig(simulator.url), dataDirectory: join(folder, "moved") };
  let gateway = await startTestGateway(options);
  const moved = await runChain(
    (turn) => models[Math.floor(turn / 2) % models.length]!,
    async (turn) => {
      if (turn === 11 || turn === 22) {
        await gateway.close();
        gateway = await startTestGateway(options);
      }
      return gateway;
    },
  );
  const seen = simulator.received();
  await gateway.close();
  const still = await startTestGateway({ config: responsesConfig(simulator.url) });
  const uninterrupted = await runChain(
    () => "claude",
    async () => still,
  );
  await still.close();
  expect(moved).toEqual(uninterrupted);
  expect(seen.length).toBe(turns);
  // The last model was told everything that was ever said.
  const last = JSON.stringify(seen.at(-1));
  for (let turn = 0; turn < turns - 1; turn += 1) {
    const part = turn % 3 === 1 ? `weather of turn ${turn}` : `turn ${turn}`;
    expect(last, `turn ${turn}`).toContain(part);
  }
});

it("a background response goes on after its process was killed", async () => {
  const options = { config: responsesConfig(simulator.url), dataDirectory: join(folder, "killed") };
  const first = await spawnTestGateway(options);
  const body = { model: "claude", input: "[[sim:say done]] [[sim:ttft 1500]]", background: true };
  const started = (await (await first.call("/v1/responses", { body })).json()) as JsonObject;
  await expect.poll(() => simulator.received().some(({ path }) => path.startsWith("/anthropic"))).toBe(true);
  first.process.kill("SIGKILL");
  await first.close();
  const second = await spawnTestGateway(options);
  const state = async (): Promise<JsonObject> =>
    (await (await second.call(`/v1/responses/${started.id}`)).json()) as JsonObject;
  await expect.poll(async () => (await state()).status).toBe("completed");
  expect(JSON.stringify((await state()).output)).toContain("done");
  const text = await (await second.call(`/v1/responses/${started.id}?stream=true`)).text();
  expect(text.match(/^event: .*$/gm)?.[1]).toBe("event: response.queued");
  await second.close();
});

it("works without a persistent store: nothing is kept, chains live at providers that keep responses", async () => {
  const gateway = await startTestGateway({
    config: responsesConfig(simulator.url),
    environment: { DATABASE_URL: "none" },
  });
  const create = async (body: object): Promise<{ status: number; json: JsonObject }> => {
    const answer = await gateway.call("/v1/responses", { body });
    return { status: answer.status, json: (await answer.json()) as JsonObject };
  };
  const native = await create({ model: "gpt-4o", input: "one" });
  const next = await create({ model: "gpt-4o", input: "two", previous_response_id: native.json.id });
  expect(next.json).toMatchObject({ status: "completed", previous_response_id: native.json.id });
  const retrieved = await gateway.call(`/v1/responses/${native.json.id}`);
  expect(await retrieved.json()).toMatchObject({ id: native.json.id });
  const moved = await create({ model: "claude", input: "two", previous_response_id: native.json.id });
  expect(moved.status).toBe(404);
  const emulated = await create({ model: "claude", input: "one" });
  expect(emulated.json.status).toBe("completed");
  const lost = await create({ model: "claude", input: "two", previous_response_id: emulated.json.id });
  expect(lost.status).toBe(404);
  const streamed = await gateway.call("/v1/responses", {
    body: { model: "claude", input: "x", stream: true },
  });
  expect(await streamed.text()).toContain("response.completed");
  expect((await create({ model: "claude", input: "x", background: true })).status).toBe(500);
  await gateway.close();
});
