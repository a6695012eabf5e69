import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestGateway } from "./support/gateway.ts";
import { BLUE_KEY, RED_KEY, type Resources, startResources, TEAM_KEYS } from "./support/resources.ts";

/** Whoever pages through a list as clients do finds all that is theirs, however much of others lies between. */
interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly first_id: string | null;
  readonly last_id: string | null;
  readonly has_more: boolean;
}

const upload = (): FormData => {
  const form = new FormData();
  form.set("purpose", "batch");
  const body = { model: "gpt-4o", messages: [{ role: "user", content: "hello" }] };
  const row = { custom_id: "a", method: "POST", url: "/v1/chat/completions", body };
  form.set("file", new Blob([`${JSON.stringify(row)}\n`]), "rows.jsonl");
  return form;
};

/** How one object of each kind that has a list is made. */
const kinds: Readonly<Record<string, (gateway: TestGateway, key: string) => Promise<unknown>>> = {
  containers: async () => ({ name: "c" }),
  videos: async () => ({ model: "sora-2", prompt: "x" }),
  files: async () => upload(),
  batches: async (gateway, key) => ({
    input_file_id: await made(gateway, "files", key),
    endpoint: "/v1/chat/completions",
    completion_window: "24h",
  }),
};

async function made(gateway: TestGateway, kind: string, key: string): Promise<string> {
  const body = await kinds[kind]!(gateway, key);
  const answer = await gateway.call(`/v1/${kind}`, { key, body });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { id: string }).id;
}

/** All ids of a list, read as the official clients do: on from the last object of each page. */
async function listed(gateway: TestGateway, path: string, key: string): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | undefined; ; after = ids.at(-1)) {
    const query = after === undefined ? "" : `&after=${after}`;
    const page = (await (await gateway.call(path + query, { key })).json()) as Page;
    expect([page.first_id, page.last_id]).toEqual([page.data[0]?.id ?? null, page.data.at(-1)?.id ?? null]);
    ids.push(...page.data.map(({ id }) => id));
    if (!page.has_more || page.data.length === 0) return ids;
  }
}

describe.each(["embedded", "none"])("With the store %s", (store) => {
  let resources: Resources;
  let gateway: TestGateway;

  beforeAll(async () => {
    resources = await startResources();
    gateway = await resources.start(`
model_list:
  - model_name: gpt-4o
    litellm_params: {model: openai/gpt-4o, api_base: "${resources.simulator.url}/openai/v1", api_key: k}
general_settings: {master_key: sk-test-master-key-0123456789${store === "none" ? ", store: none" : ""}}
${TEAM_KEYS}`);
  });
  afterAll(() => resources?.close());

  it.each(Object.keys(kinds))("lists all of a tenant's %s, page by page", async (kind) => {
    const mine: string[] = [];
    for (const key of [BLUE_KEY, RED_KEY, RED_KEY, RED_KEY, BLUE_KEY, BLUE_KEY, RED_KEY, RED_KEY, RED_KEY]) {
      const id = await made(gateway, kind, key);
      if (key === BLUE_KEY) mine.unshift(id);
    }
    for (const limit of [1, 2, 4, 20]) {
      const ids = await listed(gateway, `/v1/${kind}?limit=${limit}`, BLUE_KEY);
      expect(ids.filter((id) => mine.includes(id))).toEqual(mine);
      expect(ids.length).toBe(new Set(ids).size);
    }
    expect(await listed(gateway, `/v1/${kind}?limit=3`, RED_KEY)).not.toEqual(expect.arrayContaining(mine));
  });
});
