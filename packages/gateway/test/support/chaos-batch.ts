import { expect } from "vitest";
import type { ChaosOptions } from "./batch-chaos.ts";
import type { ChildGateway } from "./gateway.ts";

/**
 * Uploads rows that can be told apart in the simulator and starts a batch of them.
 * @returns the batch's id
 */
export async function createChaosBatch(
  gateway: ChildGateway,
  { rows, latencyMs }: Pick<ChaosOptions, "rows" | "latencyMs">,
): Promise<string> {
  const lines = Array.from({ length: rows }, (_, index) =>
    JSON.stringify({
      custom_id: `row-${index}`,
      method: "POST",
      url: "/v1/chat/completions",
      body: {
        model: "gpt",
        messages: [{ role: "user", content: `row-${index} [[sim:latency ${latencyMs}]]` }],
      },
    }),
  );
  const form = new FormData();
  form.append("purpose", "batch");
  form.append("model", "gpt");
  form.append("file", new File([lines.join("\n")], "rows.jsonl"));
  const headers = { authorization: `Bearer ${gateway.masterKey}` };
  const uploaded = await fetch(`${gateway.url}/v1/files`, { method: "POST", body: form, headers });
  const id = await idIn(uploaded);
  const body = {
    input_file_id: id,
    endpoint: "/v1/chat/completions",
    completion_window: "24h",
    execution: "gateway",
  };
  return idIn(await gateway.call("/v1/batches", { body }));
}

/** The `custom_id` of the row that a request came from. */
export function rowOf(body: unknown): string | undefined {
  return /row-\d+/.exec(JSON.stringify(body) ?? "")?.[0];
}

async function idIn(response: Response): Promise<string> {
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return (JSON.parse(text) as { id: string }).id;
}
