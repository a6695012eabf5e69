import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AccountUpstream, startAccountUpstream } from "./support/account-upstream.ts";
import type { TestGateway } from "./support/gateway.ts";
import { type Resources, startResources } from "./support/resources.ts";
import { responsesConfig } from "./support/responses.ts";

/** What hooks refuse with an error of their own: the caller is told, and no provider keeps what nobody got. */
const folder = mkdtempSync(join(tmpdir(), "portico-refusals-"));
const told = join(folder, "told.log");
let resources: Resources;
let account: AccountUpstream;
let gateway: TestGateway;

/** The call's id says where a hook refuses. */
const hooks = `import { appendFileSync } from "node:fs";
const refusal = (status) => Object.assign(new Error("not that"), { status });
const at = (context, place) => context.callId.includes(place);
export const duringCall = async (context) => {
  if (at(context, "beside")) throw refusal(403);
};
export const postCallSuccess = (context) => {
  if (at(context, "after")) throw refusal(403);
};
export async function* postCallStream(context, stream) {
  if (at(context, "first")) throw refusal(403);
  if (at(context, "junk")) yield 7;
  let left = 1;
  for await (const chunk of stream) {
    if (at(context, "middle") && left-- === 0) throw refusal(403);
    yield at(context, "text") ? Buffer.from(chunk).toString("utf8") : chunk;
  }
  if (at(context, "last") || at(context, "middle")) throw refusal(403);
}
export const failure = (context, { message, type, param, code }) => {
  appendFileSync(${JSON.stringify(told)}, JSON.stringify({ id: context.callId, message, type, param, code }) + "\\n");
};
`;

beforeAll(async () => {
  resources = await startResources();
  account = await startAccountUpstream();
  appendFileSync(told, "");
  writeFileSync(join(folder, "hooks.mjs"), hooks);
  const config = responsesConfig(resources.simulator.url).replace(
    "model_list:",
    `model_list:
  - {model_name: kept, litellm_params: {model: openai/gpt-4o, api_base: "${account.url}/v1", api_key: k}}`,
  );
  gateway = await resources.start(
    `${config}\ngateway_settings: {callbacks: ["${join(folder, "hooks.mjs")}"]}`,
  );
});
afterAll(async () => {
  await resources?.close();
  await account?.close();
  rmSync(folder, { recursive: true, force: true });
});

let calls = 0;
async function ask(place: string, path: string, body: object) {
  calls += 1;
  const id = `call-${place}-${calls}`;
  const answer = await gateway.call(path, { body, headers: { "x-portico-call-id": id } });
  const text = await answer.text();
  const failures = () =>
    readFileSync(told, "utf8")
      .split("\n")
      .filter((line) => line.includes(`"${id}"`))
      .map((line) => JSON.parse(line) as object);
  return { id, status: answer.status, text, failures };
}

const user = (content: string) => [{ role: "user", content }];
const streams = ["gpt-4o", "claude"].flatMap<[string, string, object]>((model) => [
  [model, "/v1/chat/completions", { model, stream: true, messages: user("hello") }],
  [model, "/v1/messages", { model, stream: true, max_tokens: 50, messages: user("hello") }],
  [model, "/v1/responses", { model, stream: true, input: "hello" }],
  [model, "/v1/responses", { model, stream: true, store: false, input: "hello" }],
  [
    model,
    `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
    { contents: [{ parts: [{ text: "hello" }] }] },
  ],
]);

/** What only a whole stream has at its end. */
const wholeEnd = /\[DONE\]|message_stop|response\.completed|finishReason/;

describe.each(streams)("A stream of %s at %s (%j)", (_, path, body) => {
  it.each(["first", "middle", "last"])("tells what a hook refuses, at its %s bytes", async (place) => {
    const { status, text, failures } = await ask(place, path, body);
    // A stored response has no stream before its first event: the refusal is a plain answer then.
    const isPlain = text.startsWith('{"error"');
    expect(status).toBe(isPlain ? 403 : 200);
    if (place === "first" && path === "/v1/responses") expect(isPlain).toBe(!("store" in body));
    expect(text).toContain("not that");
    expect(text).not.toMatch(wholeEnd);
    const numbers = [...text.matchAll(/"sequence_number":(\d+)/g)].map(([, number]) => Number(number));
    expect(numbers).toEqual(numbers.map((_number, index) => index));
    await expect
      .poll(failures)
      .toMatchObject([{ message: "not that", type: "permission_error", param: null, code: "403" }]);
  });

  it("is an error where a hook makes something else of it, and may be made of texts", async () => {
    const junk = await ask("junk", path, body);
    expect(junk.text).toContain("A stream hook failed.");
    expect((await ask("text", path, body)).text).toMatch(wholeEnd);
  });
});

describe("A response that a hook refuses", () => {
  it.each(["beside", "after"])("%s the call is deleted at its provider", async (place) => {
    const { status } = await ask(place, "/v1/responses", { model: "kept", input: "hello" });
    expect(status).toBe(403);
    // Beside the call a hook may refuse before anything has gone out.
    await expect.poll(() => account.idsOf("responses")).toEqual([]);
  });
});
