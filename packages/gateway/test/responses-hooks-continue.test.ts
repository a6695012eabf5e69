import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../src/contract/json.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { readEvents, responsesConfig } from "./support/responses.ts";
import { until } from "./support/until.ts";

/** What a response continues is what the pre-call hooks leave of the request, under the rules of a request that came so. */
const folder = mkdtempSync(join(tmpdir(), "portico-hooks-"));
const steering = join(folder, "steering.json");
const BLUE = "sk-blue-0123456789";
const RED = "sk-red-0123456789";
let simulator: Simulator;
let gateway: TestGateway;

const module = `import { readFileSync } from "node:fs";
export const preCall = (context) => {
  if (context.data.user !== "steered") return;
  const { mode, data } = JSON.parse(readFileSync(${JSON.stringify(steering)}, "utf8"));
  if (mode === "returned") return { ...context.data, ...data };
  Object.assign(context.data, data);
};
`;

beforeAll(async () => {
  writeFileSync(join(folder, "hooks.mjs"), module);
  simulator = await startSimulator();
  gateway = await startTestGateway({
    config: `${responsesConfig(simulator.url)}
gateway_settings: {callbacks: ["${join(folder, "hooks.mjs")}"]}
keys:
  - {key: ${BLUE}, team_id: blue}
  - {key: ${RED}, team_id: red}
`,
  });
});
afterAll(async () => {
  await gateway?.close();
  await simulator?.close();
  rmSync(folder, { recursive: true, force: true });
});

const post = (body: JsonObject, key = BLUE) => gateway.call("/v1/responses", { body, key });

async function made(model: string, input: string, key = BLUE): Promise<string> {
  const answer = await post({ model, input }, key);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { id: string }).id;
}

/** The response as it is kept in the end, whichever way it was asked for. */
async function steered(body: JsonObject, mode: string, data: JsonObject): Promise<JsonObject> {
  writeFileSync(steering, JSON.stringify({ mode, data }));
  const answer = await post({ input: "and now", user: "steered", ...body });
  const text = await answer.text();
  expect([answer.status, text]).toEqual([200, expect.anything()]);
  const shown = body.stream === true ? readEvents(text)[0]!.data.response : JSON.parse(text);
  const { id } = shown as { id: string };
  let kept: JsonObject = {};
  await until(async () => {
    kept = (await (await gateway.call(`/v1/responses/${id}`, { key: BLUE })).json()) as JsonObject;
    return kept.status === "completed";
  });
  return kept;
}

/** The last request that a model got. */
function lastAsked(): string {
  return JSON.stringify(simulator.received().findLast(({ method }) => method === "POST")!.body);
}

describe.each(["gpt-4o", "claude"])("A hook before a response on %s", (model) => {
  const ways: readonly JsonObject[] = [
    {},
    { stream: true },
    ...(model === "claude" ? [{ background: true }] : []),
  ];
  const cases = ways.flatMap((way) => ["in place", "returned"].map((mode) => ({ way, mode })));

  it.each(cases)("chooses what it continues ($way, $mode)", async ({ way, mode }) => {
    const [first, second] = [await made(model, "alpha"), await made(model, "beta")];
    const body = { model, previous_response_id: first, ...way };
    expect(await steered(body, mode, { previous_response_id: second })).toMatchObject({
      previous_response_id: second,
    });
    if (model === "claude") expect(lastAsked()).toMatch(/beta(?!.*alpha).*and now/);
    const third = await steered({ model, ...way }, mode, { previous_response_id: second });
    expect(third).toMatchObject({ previous_response_id: second });
    const asked = lastAsked();
    if (model === "gpt-4o") expect(asked).toContain("previous_response_id");
    // What goes on from there has the history that the hook chose.
    await (await post({ model: "llama-3", input: "go on", previous_response_id: third.id as string })).text();
    expect(lastAsked()).toMatch(/beta(?!.*alpha).*and now.*go on/);
    const alone = await steered(body, mode, { previous_response_id: null });
    expect(alone.previous_response_id ?? null).toBe(null);
    expect(lastAsked()).not.toMatch(/alpha|previous_response_id":"/);
  });

  it.each(cases.filter(({ way }) => way.background !== true))(
    "may have it kept nowhere ($way, $mode)",
    async ({ way, mode }) => {
      writeFileSync(steering, JSON.stringify({ mode, data: { store: false } }));
      const answer = await post({ model, input: "a secret", user: "steered", ...way });
      const text = await answer.text();
      expect(answer.status).toBe(200);
      const shown = way.stream === true ? readEvents(text)[0]!.data.response : JSON.parse(text);
      if (model === "gpt-4o") expect(lastAsked()).toContain('"store":false');
      const { id } = shown as { id: string };
      expect((await gateway.call(`/v1/responses/${id}`, { key: BLUE })).status).toBe(404);
    },
  );

  it.each([
    [{}, { stream: true }],
    [{ stream: true }, { stream: false }],
    [{}, { background: true }],
    [{ store: false }, { store: true }],
  ])("does not change how it is answered, from %j to %j", async (way, data) => {
    const before = simulator.received().length;
    for (const mode of ["in place", "returned"]) {
      writeFileSync(steering, JSON.stringify({ mode, data }));
      const answer = await post({ model, input: "x", user: "steered", ...way });
      expect([answer.status, await answer.json()]).toMatchObject([
        500,
        { error: { param: Object.keys(data)[0] } },
      ]);
    }
    expect(simulator.received().length).toBe(before);
  });

  it.each(cases)("puts it into a conversation ($way, $mode)", async ({ way, mode }) => {
    const { id } = (await (await gateway.call("/v1/conversations", { body: {}, key: BLUE })).json()) as {
      id: string;
    };
    await steered({ model, ...way }, mode, { conversation: id });
    const items = async () => (await gateway.call(`/v1/conversations/${id}/items`, { key: BLUE })).text();
    await until(async () => (await items()).includes("and now"));
  });

  it.each(["in place", "returned"])("reaches nothing of another tenant (%s)", async (mode) => {
    const foreign = await made(model, "secret of red", RED);
    const theirs = await gateway.call("/v1/conversations", { body: {}, key: RED });
    const { id } = (await theirs.json()) as { id: string };
    const before = simulator.received().length;
    for (const data of [{ previous_response_id: foreign }, { conversation: id }]) {
      writeFileSync(steering, JSON.stringify({ mode, data }));
      const answer = await post({ model, input: "and now", user: "steered" });
      expect([data, answer.status]).toEqual([data, 404]);
    }
    for (const data of [{ previous_response_id: 5 }, { previous_response_id: foreign, conversation: id }]) {
      writeFileSync(steering, JSON.stringify({ mode, data }));
      expect([data, (await post({ model, input: "and now", user: "steered" })).status]).toEqual([data, 400]);
    }
    expect(simulator.received().length).toBe(before);
  });
});
