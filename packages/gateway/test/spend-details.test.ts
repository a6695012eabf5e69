import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

interface Row {
  readonly request_id: string;
  readonly startTime: string;
  readonly completionStartTime: string | null;
  readonly endTime: string;
  readonly tools: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly failed_tries: readonly object[];
}

async function rowsOf(query: string, key = gateway.masterKey): Promise<Row[]> {
  const answer = await gateway.call(`/spend/logs?${query}`, { key });
  expect(answer.status, await answer.clone().text()).toBe(200);
  return ((await answer.json()) as { data: Row[] }).data;
}

const said = { model: "claude-sonnet-4-5", max_tokens: 10 };
const turn = (...tools: string[]) => [
  { role: "user", content: "hi" },
  {
    role: "assistant",
    content: tools.map((name, at) => ({
      type: "tool_use",
      id: `toolu_${at}`,
      name,
      input: { path: "kept secret" },
    })),
  },
  {
    role: "user",
    content: tools.map((_, at) => ({
      type: "tool_result",
      tool_use_id: `toolu_${at}`,
      content: "kept secret",
    })),
  },
];

/** Sends a message of a session and reads its answer to the end. */
async function message(session: string, body: object): Promise<void> {
  const headers = { "x-portico-session-id": session };
  const answer = await gateway.call("/v1/messages", { body: { ...said, ...body }, headers });
  expect(answer.status, await answer.text()).toBe(200);
}

describe("The spend log", () => {
  it("names the tools of each turn of a session, and nothing that they got or gave", async () => {
    await message("tools", { messages: [{ role: "user", content: "hi" }] });
    await message("tools", { messages: turn("Bash", "Read", "Bash") });
    const rows = await rowsOf("session_id=tools");
    expect(rows.map(({ tools }) => tools)).toEqual([["Bash", "Read", "Bash"], []]);
    expect(JSON.stringify(rows)).not.toContain("kept secret");
    const { data } = (await (await gateway.call("/spend/sessions")).json()) as {
      data: { session_id: string; tools: object[] }[];
    };
    expect(data.find(({ session_id }) => session_id === "tools")!.tools).toEqual([
      { name: "Bash", calls: 2 },
      { name: "Read", calls: 1 },
    ]);
  });

  it("tells when a stream's answer began, and the overview sums that up", async () => {
    const key = ((await (await gateway.call("/key/generate", { body: {} })).json()) as { key: string }).key;
    for (const stream of [true, false])
      await (
        await gateway.call("/v1/messages", {
          key,
          body: { ...said, stream, messages: [{ role: "user", content: "hi" }] },
        })
      ).text();
    const rows = await rowsOf("", key);
    const [streamed] = rows.filter(({ completionStartTime }) => completionStartTime !== null);
    expect(rows).toHaveLength(2);
    const began = Date.parse(streamed!.completionStartTime!);
    expect(began).toBeGreaterThanOrEqual(Date.parse(streamed!.startTime));
    expect(began).toBeLessThanOrEqual(Date.parse(streamed!.endTime));
    for (const asker of [key, gateway.masterKey]) {
      const overview = await gateway.call("/ui/overview?hours=24", { key: asker });
      const { totals, models } = (await overview.json()) as {
        totals: { streams: number; first_ms: number };
        models: { streams: number }[];
      };
      expect(totals.streams).toBe(1);
      expect(totals.first_ms).toBe(began - Date.parse(streamed!.startTime));
      expect(models.reduce((sum, { streams }) => sum + streams, 0)).toBe(1);
    }
  });

  it("is searched by words of what requests say of themselves, each asker within its own", async () => {
    const key = ((await (await gateway.call("/key/generate", { body: {} })).json()) as { key: string }).key;
    const metadata = { job: "Nightly import", deep: { not: "kept" } };
    const chat = { model: "gpt-4o", messages: [{ role: "user", content: "an unkept prompt" }], metadata };
    expect((await gateway.call("/v1/chat/completions", { body: chat })).status).toBe(200);
    const [found, ...others] = await rowsOf("search=IMPORT%20nightly");
    expect(others).toEqual([]);
    expect(found!.metadata).toEqual({ job: "Nightly import" });
    expect(await rowsOf("search=unkept")).toEqual([]);
    expect(await rowsOf("search=nightly", key)).toEqual([]);
  });

  it("tells of the tries that gave no answer", async () => {
    const config = `
model_list:
  - {model_name: m, litellm_params: {model: openai/bad, api_base: "http://127.0.0.1:9", api_key: k, order: 1}, model_info: {id: bad}}
  - {model_name: m, litellm_params: {model: openai/good, mock_response: hello, order: 2}, model_info: {id: good}}
`;
    const other = await startTestGateway({ config });
    try {
      const body = { model: "m", messages: [{ role: "user", content: "hi" }] };
      expect((await other.call("/v1/chat/completions", { body })).status).toBe(200);
      const { data } = (await (await other.call("/spend/logs")).json()) as { data: Row[] };
      expect(data).toMatchObject([{ model_id: "good", failed_tries: [{ model_id: "bad", status: 502 }] }]);
    } finally {
      await other.close();
    }
  });
});
