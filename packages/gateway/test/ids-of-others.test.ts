import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AccountUpstream, startAccountUpstream } from "./support/account-upstream.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

const ALICE = "sk-alice-0123456789";
const BOB = "sk-bob-0123456789";
const CHEAP = "sk-cheap-0123456789";
const EU = "sk-eu-0123456789";
const NOWHERE = "sk-nowhere-0123456789";

const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** LiteLLM's form of an id. */
const litellm: Readonly<Record<string, (model: string, id: string) => string>> = {
  files: (model, id) =>
    Buffer.from(
      `litellm_proxy:application/json;unified_id,1;target_model_names,${model};llm_output_file_id,${id};llm_output_file_model_id,${model}`,
    ).toString("base64url"),
  batches: (model, id) => base64(`litellm_proxy;model_id:${model};llm_batch_id:${id}`).replace(/=+$/, ""),
  videos: (model, id) =>
    `video_${base64(`litellm:custom_llm_provider:openai;model_id:${model};video_id:${id}`)}`,
  responses: (model, id) =>
    `resp_${base64(`litellm:custom_llm_provider:openai;model_id:${model};response_id:${id}`)}`,
  containers: (model, id) =>
    `cntr_${base64(`litellm:custom_llm_provider:openai;model_id:${model};container_id:${id}`)}`,
};
const groups = Object.keys(litellm);

/** Requests about one of these; the gateway itself looks after batches meanwhile. */
function about(upstream: AccountUpstream, ids: readonly string[]): string[] {
  return upstream.seen
    .map(({ method, path }) => `${method} ${path}`)
    .filter((line) => ids.some((id) => line.includes(id)));
}

/** Every operation on one object. */
const operations: readonly (readonly [group: string, method: string, suffix: string])[] = [
  ["files", "GET", ""],
  ["files", "GET", "/content"],
  ["files", "DELETE", ""],
  ["containers", "GET", ""],
  ["containers", "GET", "/files"],
  ["containers", "POST", "/files"],
  ["containers", "GET", "/files/cfile_1"],
  ["containers", "GET", "/files/cfile_1/content"],
  ["containers", "DELETE", "/files/cfile_1"],
  ["containers", "DELETE", ""],
  ["videos", "GET", ""],
  ["videos", "GET", "/content"],
  ["videos", "POST", "/remix"],
  ["videos", "DELETE", ""],
  ["batches", "GET", ""],
  ["batches", "GET", "/events"],
  ["batches", "POST", "/cancel"],
  ["responses", "GET", ""],
  ["responses", "GET", "?stream=true"],
  ["responses", "GET", "/input_items"],
  ["responses", "POST", "/cancel"],
  ["responses", "DELETE", ""],
];

const bodies: Readonly<Record<string, unknown>> = {
  "/remix": { prompt: "again" },
  "/files": { file_id: "file-unheard" },
  "/cancel": {},
};

interface Account {
  readonly us: AccountUpstream;
  readonly eu: AccountUpstream;
}

function configOf({ us, eu }: Account, more = ""): string {
  return `
model_list:
  - model_name: hidden
    gateway_params: {model: openai/gpt-4o, api_base: "${us.url}/v1", api_key: sk-us, region_name: us}
    model_info: {id: dep-us}
  - model_name: cheap
    gateway_params: {model: openai/gpt-4o-mini, api_base: "${eu.url}/v1", api_key: sk-eu, region_name: eu}
    model_info: {id: dep-eu}
  - model_name: movies
    gateway_params: {model: openai/sora-2, api_base: "${eu.url}/v1", api_key: sk-eu, region_name: eu}
    model_info: {id: dep-movies}
keys:
  - {key: ${ALICE}, team_id: alice}
  - {key: ${BOB}, team_id: bob}
  - {key: ${CHEAP}, team_id: bob, models: [cheap, sora-2]}
  - {key: ${EU}, team_id: bob, allowed_model_region: eu}
  - {key: ${NOWHERE}, team_id: bob, allowed_model_region: mars}
${more}
`;
}

async function startBoth(): Promise<Account> {
  return { us: await startAccountUpstream(), eu: await startAccountUpstream() };
}

/** Makes one object of each group; the ids that its maker gets. */
async function makeAll(gateway: TestGateway, key: string): Promise<Record<string, string>> {
  const form = new FormData();
  const call = { model: "gpt-4o", messages: [{ role: "user", content: "hello" }] };
  const row = { custom_id: "a", method: "POST", url: "/v1/chat/completions", body: call };
  form.append("purpose", "batch");
  form.append("file", new Blob([JSON.stringify(row)]), "rows.jsonl");
  const upload = await fetch(`${gateway.url}/v1/files`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: form,
  });
  const file = (await upload.json()) as { id: string };
  const make = async (path: string, body: unknown): Promise<string> => {
    const answer = await gateway.call(path, { key, body });
    const { id } = (await answer.json()) as { id: string };
    expect([path, answer.status]).toEqual([path, 200]);
    return id;
  };
  return {
    files: file.id,
    containers: await make("/v1/containers", { name: "box" }),
    videos: await make("/v1/videos", { prompt: "a cat" }),
    batches: await make("/v1/batches", {
      input_file_id: file.id,
      endpoint: "/v1/chat/completions",
      completion_window: "24h",
    }),
    responses: await make("/v1/responses", { model: "hidden", input: "a secret" }),
  };
}

async function statusOf(
  gateway: TestGateway,
  key: string,
  [, method, suffix]: readonly string[],
  path: string,
) {
  const body = method === "POST" ? bodies[suffix!] : undefined;
  const answer = await gateway.call(path + suffix, {
    method: method!,
    key,
    ...(body === undefined ? {} : { body }),
  });
  return { status: answer.status, text: await answer.text() };
}

describe.each([
  ["with a store", ""],
  ["without a store", "general_settings: {store: none, master_key: sk-test-master-key-0123456789}"],
])("ids of others %s", (_, more) => {
  let account: Account;
  let gateway: TestGateway;
  let own: Record<string, string>;
  let raw: Record<string, string>;
  const before = { ...process.env };

  beforeAll(async () => {
    account = await startBoth();
    gateway = await startTestGateway({ config: configOf(account, more) });
    own = await makeAll(gateway, ALICE);
    raw = Object.fromEntries(groups.map((group) => [group, account.us.idsOf(group).at(-1)!]));
  });
  afterAll(async () => {
    await gateway.close();
    await account.us.close();
    await account.eu.close();
    process.env = before;
  });

  it.each(operations)("%s %s %s is 404 for another tenant, whatever the id's form", async (...operation) => {
    const [group] = operation;
    const forms = [own[group]!, raw[group]!, litellm[group]!("dep-us", raw[group]!)];
    account.us.forget();
    for (const id of forms) {
      const { status, text } = await statusOf(
        gateway,
        BOB,
        operation,
        `/v1/${group}/${encodeURIComponent(id)}`,
      );
      expect([id, status]).toEqual([id, 404]);
      if (id !== raw[group]) expect(text).not.toContain(raw[group]);
    }
    expect(
      about(account.us, Object.values(raw)).filter((line) => !line.startsWith("GET /v1/batches/")),
    ).toEqual([]);
  });

  it("lists the maker's objects under the ids that they were made with, and nobody else's", async () => {
    for (const group of ["files", "containers", "videos", "batches"]) {
      const list = async (key: string): Promise<string[]> => {
        const answer = await gateway.call(`/v1/${group}`, { key });
        const { data } = (await answer.json()) as { data: { id: string }[] };
        return data.map(({ id }) => id);
      };
      expect([group, await list(ALICE)]).toEqual([group, [own[group]]]);
      expect([group, await list(BOB)]).toEqual([group, []]);
    }
  });

  it("says nothing of a provider's id when its object is gone", async () => {
    for (const group of ["files", "containers", "videos", "responses"]) {
      const mine = await makeAll(gateway, BOB);
      const theirs = account.us.idsOf(group).at(-1)!;
      await fetch(`${account.us.url}/v1/${group}/${theirs}`, { method: "DELETE" });
      const answer = await gateway.call(`/v1/${group}/${mine[group]}`, { key: BOB });
      const text = await answer.text();
      expect([group, answer.status]).toEqual([group, 404]);
      expect(text).not.toContain(theirs);
      expect(text).toContain(mine[group]);
    }
  });

  it.each(operations)("%s %s %s reaches no deployment that the key may not use", async (...operation) => {
    const [group] = operation;
    account.us.forget();
    for (const key of [CHEAP, EU])
      for (const name of ["dep-us", "hidden"]) {
        const id = encodeURIComponent(litellm[group]!(name, "unheard-of"));
        const { status } = await statusOf(gateway, key, operation, `/v1/${group}/${id}`);
        expect([key, name, status]).toEqual([key, name, 403]);
      }
    expect(about(account.us, ["unheard-of"])).toEqual([]);
  });

  it.each(operations)(
    "%s %s %s asks the deployment that LiteLLM's id names, by id or model",
    async (...operation) => {
      const [group] = operation;
      for (const name of ["dep-eu", "cheap"]) {
        account.eu.forget();
        const id = encodeURIComponent(litellm[group]!(name, "unheard-of"));
        const { status } = await statusOf(gateway, CHEAP, operation, `/v1/${group}/${id}`);
        expect([name, status]).toEqual([name, 404]);
        expect(account.eu.seen.length).toBeGreaterThan(0);
      }
    },
  );

  it.each(operations)("%s %s %s is 404 for LiteLLM's id of a model that nobody has", async (...operation) => {
    const [group] = operation;
    account.us.forget();
    account.eu.forget();
    const id = encodeURIComponent(litellm[group]!("nobody", "unheard-of"));
    const { status } = await statusOf(gateway, ALICE, operation, `/v1/${group}/${id}`);
    expect(status).toBe(404);
    expect([...about(account.us, ["unheard-of"]), ...about(account.eu, ["unheard-of"])]).toEqual([]);
  });

  it("makes objects with a deployment that the key may use, and says which", async () => {
    for (const key of [CHEAP, EU]) {
      account.us.forget();
      for (const path of ["/v1/containers", "/v1/videos"]) {
        const answer = await gateway.call(path, { key, body: { name: "box", prompt: "a cat" } });
        expect([path, answer.status]).toEqual([path, 200]);
        expect(answer.headers.get("x-portico-model-id")).toBe("dep-eu");
        expect(answer.headers.get("x-portico-model-region")).toBe("eu");
      }
      for (const path of ["/v1/files", "/v1/containers", "/v1/videos"])
        expect((await gateway.call(path, { key })).status).toBe(200);
      expect(about(account.us, ["/v1/containers", "/v1/videos", "/v1/files"])).toEqual([]);
    }
  });

  it("refuses what no deployment of the key's region can do", async () => {
    const body = { name: "box", prompt: "a cat" };
    for (const path of ["/v1/containers", "/v1/videos"]) {
      expect((await gateway.call(path, { key: NOWHERE, body })).status).toBe(403);
      expect((await gateway.call(path, { key: NOWHERE })).status).toBe(403);
    }
    expect((await gateway.call("/v1/files", { key: NOWHERE })).status).toBe(403);
  });
});

describe("a key of one model beside patterns that take every name", () => {
  let account: Account;
  let gateway: TestGateway;
  const before = { ...process.env };
  const entry = (name: string, model: string, { url }: AccountUpstream) =>
    `  - {model_name: "${name}", litellm_params: {model: "${model}", api_base: "${url}/v1", api_key: k}}`;

  beforeAll(async () => {
    account = await startBoth();
    gateway = await startTestGateway({
      config: `model_list:
${entry("cheap", "openai/gpt-4o-mini", account.eu)}
${entry("open*", "openai/open*", account.eu)}
${entry("*", "openai/*", account.us)}
gateway_settings: {model_alias_map: {other: cheap}}
keys:
  - {key: ${CHEAP}, models: [cheap]}
  - {key: ${EU}, models: [openthing, other]}
  - {key: ${BOB}, models: [anything]}
`,
    });
  });
  afterAll(async () => {
    await gateway.close();
    await account.us.close();
    await account.eu.close();
    process.env = before;
  });

  it.each(operations)("%s %s %s leads to what serves the model, by no other name", async (...operation) => {
    const [group] = operation;
    account.us.forget();
    const id = (name: string) => encodeURIComponent(litellm[group]!(name, "unheard-of"));
    for (const name of ["nobody", "*"])
      for (const key of [CHEAP, EU]) {
        const { status } = await statusOf(gateway, key, operation, `/v1/${group}/${id(name)}`);
        expect([key, name, status]).toEqual([key, name, 403]);
      }
    expect(about(account.us, ["unheard-of"])).toEqual([]);
    await statusOf(gateway, BOB, operation, `/v1/${group}/${id("nobody")}`);
    expect(about(account.us, ["unheard-of"])).not.toEqual([]);
    account.eu.forget();
    for (const key of [CHEAP, EU]) await statusOf(gateway, key, operation, `/v1/${group}/${id("cheap")}`);
    expect(about(account.eu, ["unheard-of"]).length).toBeGreaterThan(1);
  });
});

describe("with allow_provider_ids: false", () => {
  it("lists nothing that the gateway did not hand out", async () => {
    const account = await startBoth();
    const before = { ...process.env };
    const gateway = await startTestGateway({
      config: configOf(account, "gateway_settings: {allow_provider_ids: false}"),
    });
    try {
      for (const path of ["/v1/containers", "/v1/videos"])
        await fetch(account.us.url + path, { method: "POST", body: "{}" });
      const own = await makeAll(gateway, ALICE);
      for (const key of [ALICE, gateway.masterKey])
        for (const group of ["containers", "videos"]) {
          const answer = await gateway.call(`/v1/${group}`, { key });
          const { data } = (await answer.json()) as { data: { id: string }[] };
          expect(data.map(({ id }) => id)).toEqual([own[group]]);
        }
    } finally {
      await gateway.close();
      await account.us.close();
      await account.eu.close();
      process.env = before;
    }
  });
});

describe.each([true, false])("a restart without a store, allow_provider_ids: %s", (isAllowed) => {
  const general = (master: string) => `general_settings: {store: none, master_key: ${master}}
gateway_settings: {allow_provider_ids: ${isAllowed}}`;
  let account: Account;
  let gateway: TestGateway;
  let own: Record<string, string>;
  let raw: Record<string, string>;
  const before = { ...process.env };
  const address = (group: string, id: string) => `/v1/${group}/${encodeURIComponent(id)}`;

  beforeAll(async () => {
    account = await startBoth();
    const config = configOf(account, general("sk-test-master-key-0123456789"));
    const first = await startTestGateway({ config });
    own = await makeAll(first, ALICE);
    raw = Object.fromEntries(groups.map((group) => [group, account.us.idsOf(group).at(-1)!]));
    await first.close();
    gateway = await startTestGateway({ config });
  });
  afterAll(async () => {
    await gateway.close();
    await account.us.close();
    await account.eu.close();
    process.env = before;
  });

  it("shows lists to nobody but administrators", async () => {
    for (const group of ["files", "containers", "videos", "batches"])
      for (const key of [ALICE, BOB]) {
        const answer = await gateway.call(`/v1/${group}`, { key });
        expect([group, key, await answer.json()]).toEqual([
          group,
          key,
          expect.objectContaining({ data: [] }),
        ]);
      }
  });

  it.each(operations)("leaves %s %s %s to the tenant that the id carries", async (...operation) => {
    const [group, method] = operation;
    const id = own[group]!;
    account.us.forget();
    const theirs = await statusOf(gateway, BOB, operation, address(group, id));
    expect([theirs.status, about(account.us, Object.values(raw))]).toEqual([404, []]);
    if (method !== "GET") return;
    await statusOf(gateway, ALICE, operation, address(group, id));
    expect(about(account.us, [raw[group]!])).not.toEqual([]);
  });

  it.each(operations)(
    "knows nobody who made what a provider's id names at %s %s %s",
    async (...operation) => {
      const [group, method] = operation;
      if (method !== "GET") return;
      for (const id of [raw[group]!, litellm[group]!("dep-us", raw[group]!)]) {
        account.us.forget();
        const { status } = await statusOf(gateway, ALICE, operation, address(group, id));
        const isAsked = about(account.us, [raw[group]!]).length > 0;
        // It goes to the provider as it came (docs/gateway/operations.md), unless the operator has closed that door.
        if (isAllowed) expect([id, status === 404 && !isAsked]).toEqual([id, false]);
        else expect([id, status, isAsked]).toEqual([id, 404, false]);
      }
    },
  );

  it("leaves what a request refers to, to the tenant that the id carries", async () => {
    const part = { type: "file", file: { file_id: own.files } };
    const rows = { input_file_id: own.files, endpoint: "/v1/chat/completions", completion_window: "24h" };
    const code = { type: "code_interpreter", container: own.containers };
    const files = { type: "code_interpreter", container: { type: "auto", file_ids: [own.files] } };
    const requests: readonly (readonly [string, object])[] = [
      ["/v1/chat/completions", { model: "hidden", messages: [{ role: "user", content: [part] }] }],
      ["/v1/batches", rows],
      ["/v1/responses", { model: "hidden", input: "go on", previous_response_id: own.responses }],
      ["/v1/responses", { model: "hidden", input: "go on", tools: [code] }],
      ["/v1/responses", { model: "hidden", input: "go on", tools: [files] }],
    ];
    for (const [path, body] of requests) {
      account.us.forget();
      const theirs = await gateway.call(path, { key: BOB, body });
      expect([path, body, theirs.status, account.us.seen.length]).toEqual([path, body, 404, 0]);
      const mine = await gateway.call(path, { key: ALICE, body });
      expect([path, body, mine.status]).toEqual([path, body, 200]);
    }
  });

  it("opens no id where the secret behind ids is another one", async () => {
    const other = await startTestGateway({
      config: configOf(account, general("sk-another-master-0123456789")),
    });
    try {
      for (const group of groups) {
        account.us.forget();
        const { status } = await other.call(address(group, own[group]!), { key: ALICE });
        expect([group, status, about(account.us, Object.values(raw))]).toEqual([group, 404, []]);
      }
    } finally {
      await other.close();
    }
  });
});
