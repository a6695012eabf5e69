import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newGroupBody, updateGroupBody } from "../src/features/access-groups/schema.ts";
import { newCredentialBody, updateCredentialBody } from "../src/features/credentials/schema.ts";
import {
  namedModel,
  newModelBody,
  patchModelBody,
  updateModelBody,
} from "../src/features/model-management/schema.ts";
import { misfits } from "./support/fitting-values.ts";
import { type CallInit, startTestGateway, type TestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

const GROUPED = "sk-grouped-0123456789";
const SECRET = "sk-of-the-provider-0123456789abcdef";

function configuration(url: string, more = ""): string {
  return `
model_list:
  - model_name: filed
    litellm_params: {model: openai/gpt-4o, api_base: "${url}/openai/v1", api_key: simulated}
    model_info: {id: in-the-file, access_groups: [own-group]}
credential_list:
  - {credential_name: of-the-file, credential_values: {api_key: simulated, api_base: "${url}/openai/v1"}}
general_settings: {master_key: sk-test-master-key-0123456789, salt_key: a-salt-of-its-own}
router_settings: {num_retries: 0}
keys:
  - {key: ${GROUPED}, models: [team-models]}
${more}`;
}

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator();
});
afterAll(() => simulator?.close());

type Json = Record<string, unknown>;
interface Answer extends Json {
  readonly status: number;
  readonly text: string;
}

function caller(gateway: () => TestGateway) {
  return async (method: string, path: string, body?: unknown, init: CallInit = {}): Promise<Answer> => {
    const answer = await gateway().call(path, { ...init, method, ...(body === undefined ? {} : { body }) });
    const text = await answer.text();
    return { ...(text.startsWith("{") ? (JSON.parse(text) as Json) : {}), status: answer.status, text };
  };
}

function messageOf({ error }: Answer): string {
  return String((error as Json | undefined)?.message);
}

describe("models made at run time", () => {
  let gateway: TestGateway;
  const ask = caller(() => gateway);
  const params = (more: object = {}) => ({
    model: "openai/gpt-4o",
    api_base: `${simulator.url}/openai/v1`,
    api_key: SECRET,
    ...more,
  });
  const chat = (model: string, key?: string) =>
    ask(
      "POST",
      "/v1/chat/completions",
      { model, messages: [{ role: "user", content: "hello" }] },
      key === undefined ? {} : { key },
    );
  const make = async (name: string, more: object = {}): Promise<string> => {
    const made = await ask("POST", "/model/new", { model_name: name, litellm_params: params(more) });
    expect([made.status, made.text]).toEqual([200, expect.anything()]);
    return String(made.model_id);
  };

  beforeAll(async () => {
    gateway = await startTestGateway({ config: configuration(simulator.url) });
  });
  afterAll(() => gateway?.close());

  it("can be called at once, are listed, changed and removed", async () => {
    expect((await chat("fresh")).status).toBe(400);
    const id = await make("fresh");
    expect((await chat("fresh")).status).toBe(200);
    const shown = await ask("GET", `/model/info?litellm_model_id=${id}`);
    expect(shown.data).toMatchObject([{ model_name: "fresh", model_info: { id, db_model: true } }]);
    expect((await ask("GET", "/v1/models")).text).toContain('"fresh"');
    const changed = await ask("POST", "/model/update", {
      model_name: "renamed",
      litellm_params: { temperature: 0.5 },
      model_info: { id, note: "mine" },
    });
    expect(changed).toMatchObject({ status: 200, model_name: "renamed", model_info: { id, note: "mine" } });
    expect([(await chat("fresh")).status, (await chat("renamed")).status]).toEqual([400, 200]);
    expect(simulator.received().at(-1)!.body).toMatchObject({ temperature: 0.5 });
    await ask("PATCH", `/model/${id}/update`, { litellm_params: { temperature: null } });
    await chat("renamed");
    expect(simulator.received().at(-1)!.body).not.toHaveProperty("temperature");
    expect(simulator.received().at(-1)!.headers.authorization).toBe(`Bearer ${SECRET}`);
    expect((await ask("POST", "/model/delete", { id })).status).toBe(200);
    expect((await chat("renamed")).status).toBe(400);
    expect((await ask("POST", "/model/delete", { id })).status).toBe(404);
  });

  it("stand behind the file's models, which nobody can change here", async () => {
    for (const refused of [
      await ask("POST", "/model/update", { litellm_params: { rpm: 1 }, model_info: { id: "in-the-file" } }),
      await ask("PATCH", "/model/in-the-file/update", { model_name: "x" }),
      await ask("POST", "/model/delete", { id: "in-the-file" }),
    ]) {
      expect(refused.status).toBe(400);
      expect(messageOf(refused)).toBe(
        "The model in-the-file stands in the configuration file and can only be changed there",
      );
    }
    const twin = { model_name: "filed", litellm_params: params(), model_info: { id: "in-the-file" } };
    expect((await ask("POST", "/model/new", twin)).status).toBe(400);
  });

  it.each([
    ["a provider that does not exist", { model: "opnai/gpt-4o" }, /opnai.*did you mean openai/],
    ["an address that is none", { api_base: "localhost:1" }, /api_base.*http/],
    ["a credential that does not exist", { litellm_credential_name: "nobody's" }, /names no credential/],
    ["a wrong limit", { rpm: "many" }, /litellm_params\.rpm: expected a number/],
    [
      "a provider that cannot tell where calls go",
      { model: "azure/gpt-4o", api_base: null },
      /api_base|AZURE/,
    ],
  ])("are refused with %s", async (_what, more, message) => {
    const refused = await ask("POST", "/model/new", { model_name: "bad", litellm_params: params(more) });
    expect([refused.status, messageOf(refused)]).toEqual([400, expect.stringMatching(message)]);
    const id = await make(`good ${randomUUID()}`);
    const changed = await ask("PATCH", `/model/${id}/update`, { litellm_params: more });
    expect([changed.status, messageOf(changed)]).toEqual([400, expect.stringMatching(message)]);
  });

  it("may have slashes and stars in their names", async () => {
    await make("of/a team/gpt");
    await make("free/*", { model: "openai/*" });
    expect((await chat("of/a team/gpt")).status).toBe(200);
    expect((await chat("free/gpt-4o-mini")).status).toBe(200);
    expect(simulator.received().at(-1)!.model).toBe("gpt-4o-mini");
  });

  it("are for administrators", async () => {
    const tried = await ask(
      "POST",
      "/model/new",
      { model_name: "x", litellm_params: params() },
      { key: GROUPED },
    );
    expect(tried.status).toBe(403);
    expect((await ask("GET", "/credentials", undefined, { key: GROUPED })).status).toBe(403);
  });

  it("happen one after the other, and only one of two with the same id", async () => {
    const id = `twice-${randomUUID()}`;
    const body = { model_name: "twice", litellm_params: params(), model_info: { id } };
    const both = await Promise.all([ask("POST", "/model/new", body), ask("POST", "/model/new", body)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        ask("PATCH", `/model/${id}/update`, { model_info: { [`note_${index}`]: index } }),
      ),
    );
    const shown = await ask("GET", `/model/info?litellm_model_id=${id}`);
    const [{ model_info }] = shown.data as [{ model_info: Json }];
    for (let index = 0; index < 8; index += 1) expect(model_info).toHaveProperty(`note_${index}`, index);
  });

  it("use credentials, whose changes they follow", async () => {
    const values = { api_key: "sk-first-0123456789", api_base: `${simulator.url}/openai/v1` };
    const name = "of/the team";
    const made = await ask("POST", "/credentials", {
      credential_name: name,
      credential_values: values,
      credential_info: {},
    });
    expect(made).toMatchObject({ status: 200, success: true });
    expect(
      (await ask("POST", "/credentials", { credential_name: name, credential_values: values })).status,
    ).toBe(400);
    const added = await ask("POST", "/model/new", {
      model_name: "with-credential",
      litellm_params: { model: "openai/gpt-4o", litellm_credential_name: name },
    });
    expect(added).toMatchObject({ litellm_params: { litellm_credential_name: name } });
    expect((await chat("with-credential")).status).toBe(200);
    expect(simulator.received().at(-1)!.headers.authorization).toBe("Bearer sk-first-0123456789");
    const shown = await ask("GET", `/credentials/by_name/${name}`);
    expect(shown).toMatchObject({ status: 200, credential_name: name });
    expect(shown.text).not.toContain("sk-first");
    const back = { credential_values: shown.credential_values, credential_info: { owner: "me" } };
    expect((await ask("PATCH", `/credentials/${name}`, back)).status).toBe(200);
    await chat("with-credential");
    expect(simulator.received().at(-1)!.headers.authorization).toBe("Bearer sk-first-0123456789");
    await ask("PATCH", `/credentials/${name}`, { credential_values: { api_key: "sk-second-0123456789" } });
    await chat("with-credential");
    expect(simulator.received().at(-1)!.headers.authorization).toBe("Bearer sk-second-0123456789");
    const bad = await ask("PATCH", `/credentials/${name}`, { credential_values: { api_base: "nowhere" } });
    expect(bad.status).toBe(400);
    const used = await ask("DELETE", `/credentials/${name}`);
    expect([used.status, messageOf(used)]).toEqual([400, expect.stringContaining("is used by the models")]);
    for (const path of ["/credentials/of-the-file"])
      for (const method of ["DELETE", "PATCH"])
        expect((await ask(method, path, method === "PATCH" ? {} : undefined)).status).toBe(400);
    expect((await ask("DELETE", "/credentials/nobody's")).status).toBe(404);
    const listed = await ask("GET", "/credentials");
    expect((listed.credentials as Json[]).map(({ credential_name }) => credential_name)).toEqual([
      "of-the-file",
      name,
    ]);
    const copied = await ask("POST", "/credentials", { credential_name: "copied", model_id: "in-the-file" });
    expect(copied.status).toBe(200);
    expect((await ask("GET", "/credentials/by_model/in-the-file")).credential_values).toMatchObject({
      api_base: `${simulator.url}/openai/v1`,
    });
    expect((await ask("DELETE", "/credentials/copied")).status).toBe(200);
  });

  it("form access groups, with those of the file", async () => {
    expect((await chat("filed", GROUPED)).status).toBe(403);
    const made = await ask("POST", "/access_group/new", {
      access_group: "team-models",
      model_names: ["filed"],
    });
    expect(made).toMatchObject({ status: 200, models_updated: 1, model_names: ["filed"] });
    expect((await chat("filed", GROUPED)).status).toBe(200);
    expect(
      (await ask("POST", "/access_group/new", { access_group: "team-models", model_names: ["filed"] }))
        .status,
    ).toBe(409);
    const id = await make("in-a-group");
    expect((await chat("in-a-group", GROUPED)).status).toBe(403);
    const body = { model_names: ["filed"], model_ids: [id] };
    expect(await ask("PUT", "/access_group/team-models/update", body)).toMatchObject({ models_updated: 2 });
    expect((await chat("in-a-group", GROUPED)).status).toBe(200);
    expect((await ask("GET", "/access_group/list")).access_groups).toEqual([
      { access_group: "own-group", model_names: ["filed"], deployment_count: 1 },
      { access_group: "team-models", model_names: ["filed", "in-a-group"], deployment_count: 2 },
    ]);
    expect(await ask("GET", "/access_group/own-group/info")).toMatchObject({ deployment_count: 1 });
    expect((await ask("DELETE", "/access_group/own-group/delete")).status).toBe(400);
    expect(
      (await ask("POST", "/access_group/new", { access_group: "x", model_names: ["nobody"] })).status,
    ).toBe(400);
    expect(await ask("DELETE", "/access_group/team-models/delete")).toMatchObject({ models_updated: 2 });
    expect((await chat("filed", GROUPED)).status).toBe(403);
    expect((await ask("GET", "/access_group/team-models/info")).status).toBe(404);
  });

  it("refuse every field of a wrong type", async () => {
    const id = await make("typed");
    const bodies = [
      ["POST", "/model/new", newModelBody],
      ["POST", "/model/update", updateModelBody],
      ["PATCH", `/model/${id}/update`, patchModelBody],
      ["POST", "/model/delete", namedModel],
      ["POST", "/credentials", newCredentialBody],
      ["PATCH", "/credentials/any", updateCredentialBody],
      ["POST", "/access_group/new", newGroupBody],
      ["PUT", "/access_group/any/update", updateGroupBody],
    ] as const;
    for (const [method, path, schema] of bodies)
      for (const { path: at, value } of misfits(schema)) {
        if (typeof value !== "object" || value === null || Array.isArray(value)) continue;
        const { status, text } = await ask(method, path, value);
        expect([method, path, at, status, text]).toEqual([method, path, at, 400, expect.anything()]);
      }
  });

  it("show their secrets nowhere: not in answers, the log, the audit log, nor the database", async () => {
    const name = `secret-${randomUUID()}`;
    const made = await ask("POST", "/model/new", {
      model_name: name,
      litellm_params: params({
        aws_secret_access_key: SECRET,
        extra_headers: { authorization: `Bearer ${SECRET}` },
      }),
    });
    const texts = [
      made.text,
      (await ask("GET", "/model/info")).text,
      (await ask("GET", "/v2/model/info?size=1000")).text,
    ];
    const back = await ask("POST", "/model/update", {
      litellm_params: made.litellm_params as Json,
      model_info: { id: made.model_id },
    });
    texts.push(back.text, gateway.log());
    for (const text of texts) expect(text).not.toContain(SECRET);
    await chat(name);
    expect(simulator.received().at(-1)!.headers.authorization).toContain(SECRET);
    const file = readdirSync(gateway.dataDirectory).find(
      (each) => each.endsWith(".db") || each.endsWith(".sqlite"),
    );
    const database = new DatabaseSync(join(gateway.dataDirectory, file!), { readOnly: true });
    const rows = JSON.stringify([
      database.prepare("select * from config_entries").all(),
      database.prepare("select * from audit_log").all(),
    ]);
    database.close();
    expect(rows).toContain("LiteLLM_ProxyModelTable");
    expect(rows).not.toContain(SECRET);
  });

  it("outlive a reload of the file", async () => {
    await make("before-the-reload");
    gateway.writeConfig(configuration(simulator.url, "  - {key: sk-added-0123456789}\n"));
    await until(
      () => ask("GET", "/v1/models", undefined, { key: "sk-added-0123456789" }),
      ({ status }) => status === 200,
    );
    expect((await chat("before-the-reload")).status).toBe(200);
  });
});

it("are there again after a restart, and not with another salt", async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), "portico-runtime-models-"));
  const config = configuration(simulator.url);
  const body = {
    model_name: "kept",
    litellm_params: { model: "openai/gpt-4o", mock_response: "hi", api_key: SECRET },
  };
  const first = await startTestGateway({ config, dataDirectory });
  expect((await first.call("/model/new", { body })).status).toBe(200);
  await first.close();
  const second = await startTestGateway({ config, dataDirectory });
  expect(await (await second.call("/v1/models")).text()).toContain('"kept"');
  await second.close();
  const third = await startTestGateway({
    config: config.replace("a-salt-of-its-own", "another-salt"),
    dataDirectory,
  });
  expect(await (await third.call("/v1/models")).text()).not.toContain('"kept"');
  expect(third.log()).toContain("encrypted with another salt_key");
  await third.close();
  rmSync(dataDirectory, { recursive: true, force: true });
});
