import type { TestGateway } from "./gateway.ts";

/** A row of the spend log, as far as tests look. */
export interface Row {
  readonly request_id: string;
  readonly spend: number;
  readonly status: string;
  readonly total_tokens: number;
  readonly [name: string]: unknown;
}

export const model = "claude-sonnet-4-5";

/** A body of `/v1/messages`. */
export function message(text: string, more: object = {}): object {
  return { model, max_tokens: 300, messages: [{ role: "user", content: text }], ...more };
}

/** Makes a key. */
export async function newKey(gateway: TestGateway, fields: object = {}): Promise<string> {
  const response = await gateway.call("/key/generate", { body: fields });
  return ((await response.json()) as { key: string }).key;
}

/** The first page of the log. */
export async function rowsOf(gateway: TestGateway, query: string): Promise<Row[]> {
  const page = (await (await gateway.call(`/spend/logs?${query}`)).json()) as { data: Row[] };
  return page.data;
}

/** What a key has spent. */
export async function spendOf(gateway: TestGateway, key: string): Promise<number> {
  const { info } = (await (await gateway.call(`/key/info?key=${key}`)).json()) as { info: { spend: number } };
  return info.spend;
}
