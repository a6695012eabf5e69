import { afterEach, beforeEach, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import {
  callOf,
  type ScriptedProvider,
  scriptedConfig,
  scriptOf,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { describeOnEachStore } from "./support/stores.ts";

/** The one text that a key had, and the next one has. */
const TEXT = "sk-the-same-text-0123456789";
/** The one id that an owner had, and the next one has. */
const ID = "the-same";

/** How each kind of owner is made, with a key of its own, and deleted with it. */
const owners: Readonly<
  Record<string, { make: (readonly [string, object])[]; remove: (readonly [string, object])[] }>
> = {
  team: {
    make: [
      ["/team/new", { team_id: ID }],
      ["/key/generate", { team_id: ID }],
    ],
    remove: [["/team/delete", { team_ids: [ID] }]],
  },
  user: {
    make: [
      ["/user/new", { user_id: ID, auto_create_key: false }],
      ["/key/generate", { user_id: ID }],
    ],
    remove: [["/user/delete", { user_ids: [ID] }]],
  },
  "user with the same key": {
    make: [
      ["/user/new", { user_id: ID, auto_create_key: false }],
      ["/key/generate", { user_id: ID, key: TEXT }],
    ],
    remove: [["/user/delete", { user_ids: [ID] }]],
  },
  organization: {
    make: [
      ["/organization/new", { organization_id: ID, organization_alias: ID }],
      ["/team/new", { team_id: ID, organization_id: ID }],
      ["/key/generate", { team_id: ID, key_alias: ID }],
    ],
    remove: [
      ["/team/delete", { team_ids: [ID] }],
      ["/organization/delete", { organization_ids: [ID] }],
    ],
  },
  key: {
    make: [["/key/generate", { key: TEXT, key_alias: ID }]],
    remove: [["/key/delete", { keys: [TEXT] }]],
  },
  "customer's key": {
    make: [
      ["/customer/new", { user_id: ID }],
      ["/key/generate", { key: TEXT }],
    ],
    remove: [
      ["/key/delete", { keys: [TEXT] }],
      ["/customer/delete", { user_ids: [ID] }],
    ],
  },
};

describeOnEachStore("Nothing of a deleted owner reaches the next one of its id", (opener) => {
  let provider: ScriptedProvider;
  let gateway: TestGateway;

  beforeEach(async () => {
    provider = await startScriptedProvider();
    provider.script = scriptOf("chat", { reason: "stop" });
    gateway = await startTestGateway({
      ...(opener.url === undefined
        ? { dataDirectory: opener.folder! }
        : { environment: { DATABASE_URL: opener.url } }),
      config: `${scriptedConfig(provider.url)}litellm_settings: {cache: true, cache_params: {type: local, scope: team}}\n`,
    });
  });
  afterEach(async () => {
    await gateway?.close();
    provider?.close();
  });

  /** Makes an owner. @returns its key */
  async function make(kind: string): Promise<string> {
    let key = "";
    for (const [path, body] of owners[kind]!.make) {
      const answer = await gateway.call(path, { body });
      const text = await answer.text();
      expect([path, answer.status, text]).toEqual([path, 200, text]);
      key = (JSON.parse(text) as { key?: string }).key ?? key;
    }
    return key;
  }

  async function remove(kind: string): Promise<void> {
    for (const [path, body] of owners[kind]!.remove) {
      const method = path === "/organization/delete" ? "DELETE" : "POST";
      const answer = await gateway.call(path, { method, body });
      expect([path, answer.status]).toEqual([path, 200]);
    }
  }

  /** What of these was answered without asking the provider: an answer under an idempotency key, one of the cache. */
  async function answeredBefore(key: string): Promise<boolean[]> {
    const [path, call] = callOf("chat", "chat", false);
    const body = { ...call, user: ID };
    const named = {
      ...body,
      messages: [{ role: "user", content: "under a key" }],
      cache: { "no-cache": true },
    };
    const found: boolean[] = [];
    for (const [asked, headers] of [
      [named, { "idempotency-key": "once" }],
      [body, {}],
    ] as const) {
      const before = provider.calls;
      const answer = await gateway.call(path, { key, body: asked, headers });
      expect(answer.status).toBe(200);
      await answer.text();
      found.push(provider.calls === before);
    }
    return found;
  }

  it.each(Object.keys(owners))("%s", async (kind) => {
    const first = await make(kind);
    expect(await answeredBefore(first)).toEqual([false, false]);
    expect(await answeredBefore(first)).toEqual([true, true]);
    const form = new FormData();
    form.append("purpose", "user_data");
    form.append("file", new File(["mine"], "mine.txt"));
    const made = (await (await gateway.call("/v1/files", { key: first, body: form })).json()) as {
      id: string;
    };
    expect((await gateway.call(`/v1/files/${made.id}`, { key: first })).status).toBe(200);

    for (let time = 0; time < 2; time += 1) {
      await remove(kind);
      const next = await make(kind);
      expect(await answeredBefore(next)).toEqual([false, false]);
      expect(await answeredBefore(next)).toEqual([true, true]);
      expect((await gateway.call(`/v1/files/${made.id}`, { key: next })).status).toBe(404);
      const { data } = (await (await gateway.call("/v1/files", { key: next })).json()) as { data: unknown[] };
      expect(data).toEqual([]);
    }
    // Administrators see it as before.
    expect((await gateway.call(`/v1/files/${made.id}`)).status).toBe(200);
  });
});
