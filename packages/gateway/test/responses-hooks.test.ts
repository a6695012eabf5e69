import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSimulator } from "portico-simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { readEvents, responsesConfig } from "./support/responses.ts";

const folder = mkdtempSync(join(tmpdir(), "portico-hooks-"));
const log = join(folder, "hooks.log");
let simulator: Awaited<ReturnType<typeof startSimulator>>;
let gateway: TestGateway;

beforeAll(async () => {
  const hooks = join(folder, "hooks.mjs");
  writeFileSync(
    hooks,
    `import { appendFileSync } from "node:fs";
const note = (seen) => appendFileSync(${JSON.stringify(log)}, JSON.stringify(seen) + "\\n");
export const postCallSuccess = (context, answer) => {
  note(answer.id);
  return { ...answer, metadata: { hooked: "yes" } };
};
export async function* postCallStream(context, stream) {
  for await (const chunk of stream) {
    note(Buffer.from(chunk).toString("utf8"));
    yield chunk;
  }
}
`,
  );
  simulator = await startSimulator({ port: 0 });
  gateway = await startTestGateway({
    config: `${responsesConfig(simulator.url)}\ngateway_settings: {callbacks: ["${hooks}"]}\n`,
  });
});
afterAll(async () => {
  await gateway?.close();
  await simulator?.close();
  rmSync(folder, { recursive: true, force: true });
});

function seen(): string[] {
  return readFileSync(log, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as string);
}

describe.each(["gpt-4o", "claude"])("Post-call hooks of a response on %s", (model) => {
  it("see the id that the caller gets, and may change the answer", async () => {
    const response = await gateway.call("/v1/responses", { body: { model, input: "hello" } });
    const answer = (await response.json()) as { id: string };
    expect(seen()).toContain(answer.id);
    const kept = await gateway.call(`/v1/responses/${answer.id}`);
    expect(await kept.json()).toMatchObject({ id: answer.id });
    expect(answer).toMatchObject({ metadata: { hooked: "yes" } });
  });

  it.each([true, false])("see the ids of the stream that the caller gets (store: %s)", async (store) => {
    const body = { model, input: "hello", stream: true, store };
    const text = await (await gateway.call("/v1/responses", { body })).text();
    const [first] = readEvents(text);
    const { id } = first!.data.response as { id: string };
    expect(seen().filter((chunk) => chunk.includes(`"${id}"`)).length).toBeGreaterThanOrEqual(2);
  });
});

it("Post-call hooks of a background response see the id that the caller has", async () => {
  const body = { model: "claude", input: "hello", background: true };
  const { id } = (await (await gateway.call("/v1/responses", { body })).json()) as { id: string };
  await expect
    .poll(
      async () => ((await (await gateway.call(`/v1/responses/${id}`)).json()) as { status: string }).status,
    )
    .toBe("completed");
  expect(seen().filter((chunk) => chunk.includes(`"${id}"`)).length).toBeGreaterThanOrEqual(2);
});
