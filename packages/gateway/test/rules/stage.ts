import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Simulator, startSimulator } from "portico-simulator";
import type { JsonObject } from "../../src/contract/json.ts";
import {
  MASTER_KEY,
  porticoProgram,
  spawnTestGateway,
  startTestGateway,
  type TestGateway,
} from "../support/gateway.ts";
import { startRecordingFront } from "../support/recording-front.ts";
import { startTokenIssuer } from "../support/token-issuer.ts";
import { until } from "../support/until.ts";
import { optionalFeatures } from "./everything.ts";
import { isStep, signInUntil } from "./sign-in.ts";

const callback_vars = { logfire_token: "none", logfire_base_url: "https://logfire.invalid" };

/** A destination of spans that can be taken away. */
export const teamMetadata = { logging: [{ callback_name: "logfire", callback_vars }] };

/** Keys of the stage. All but Bob's are of one team, so that they know its objects. */
export const keys = {
  alice: "sk-alice-0123456789",
  bob: "sk-bob-0123456789",
  /** May use models that nobody has. */
  narrow: "sk-narrow-0123456789",
  /** Bound to a region in which there is no deployment. */
  elsewhere: "sk-elsewhere-0123456789",
  /** Its budget is spent. */
  spent: "sk-spent-0123456789",
} as const;

/** Of every call that makes something, for gateways that want it. */
const metadata = { project: "p" };

/** What a tenant has made, by the kind of its id. */
export type Kind =
  | "file"
  | "container"
  | "containerFile"
  | "video"
  | "batch"
  | "messageBatch"
  | "response"
  | "conversation"
  | "item"
  | "agent"
  /** An agent that Alice's team sees and Bob's does not. */
  | "helper"
  | "key"
  | "madeModel"
  | "credential"
  | "group"
  | "team"
  | "user"
  | "organization"
  | "customer"
  | "budget"
  | "tag"
  /** An entry of the audit log. */
  | "audit"
  /** What a browser comes back with from signing in. */
  | "signIn"
  /** The ticket of a page that asks before a command line gets a session. */
  | "consent"
  /** The code for which a command line gets its session. */
  | "commandLine"
  /** A session's key. */
  | "session"
  /** The cookie that the browser of a sign-in has. */
  | "cookie";

/** A gateway before simulated providers, with keys that rules bind. */
export interface Stage {
  readonly gateway: TestGateway;
  readonly simulator: Simulator;
  /** Requests that providers got since the last call of `forget`, but for those that the gateway makes by itself. */
  asked(): readonly string[];
  forget(): void;
  /** Has providers close every connection that is free now when the next request comes over it. */
  closeOnNext(): void;
  /** Makes an object for the key's tenant; its ids by kind, with those of what it lies in. */
  make(kind: Kind, key?: string): Promise<Readonly<Partial<Record<Kind, string>>>>;
  close(): Promise<void>;
}

export interface StageOptions {
  /** YAML behind the model list. */
  readonly more?: string;
  /** Further members of `general_settings`, as YAML has them in braces. */
  readonly general?: string;
  /** A module of hooks, which may keep files in a folder that goes with the stage. */
  readonly hooks?: (folder: string) => string;
  /** In a process of its own, and node's arguments there. */
  readonly apart?: readonly string[];
  /** Bodies and providers get little time. */
  readonly timeouts?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
  /** Rules of the guard. */
  readonly guard?: object;
}

/**
 * What the gateway asks by itself about what was begun: how batches, videos and background responses go on, and whether a
 * batch is there whose answer was lost.
 */
const ownLooks = /\/(?:batches|responses|videos)\/[^/]+$|\/files\/[^/]+\/content$|\/batches\?limit=100$/;

export async function startStage(options: StageOptions = {}): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), "portico-rules-"));
  const before = { ...process.env };
  const simulator = await startSimulator();
  // What passes through is answered whatever its id. Videos are ready at once; batches and responses in the background run on.
  const settings = {
    videoQueuedMs: 0,
    videoRunningMs: 0,
    responseQueuedMs: 0,
    responseRunningMs: 600_000,
    batchRunningMs: 600_000,
    placeholders: true,
  };
  await fetch(`${simulator.url}/_admin/settings`, { method: "POST", body: JSON.stringify(settings) });
  const front = await startRecordingFront(simulator.url);
  const issuer = await startTokenIssuer();
  // What passes is not kept where it is long.
  const config = configOf(
    options.apart === undefined ? front.url : simulator.url,
    issuer.url,
    folder,
    options,
  );
  const gateway =
    options.apart === undefined
      ? await startTestGateway({ config, environment: options.environment ?? {} })
      : await spawnTestGateway({ config, program: [...options.apart, ...(await porticoProgram())] });
  await spend(gateway);
  const helper = await registered(gateway, HELPER);
  let from = 0;
  return {
    gateway,
    simulator,
    asked: () =>
      front.seen
        .slice(from)
        .filter(({ method, path }) => !(method === "GET" && ownLooks.test(path)))
        .map(({ method, path, body }) => `${method} ${path} ${body}`),
    closeOnNext: front.closeOnNext,
    forget: () => {
      from = front.seen.length;
    },
    make: async (kind, key = keys.alice) => {
      if (kind === "helper") return { helper };
      if (isStep(kind)) return signInUntil(gateway, issuer, kind);
      return make(gateway, kind, key);
    },
    close: async () => {
      await gateway.close();
      await issuer.close();
      await front.close();
      await simulator.close();
      rmSync(folder, { recursive: true, force: true });
      process.env = before;
    },
  };
}

function configOf(
  url: string,
  issuer: string,
  folder: string,
  { more = "", general: further, timeouts, hooks, guard }: StageOptions,
): string {
  const settings: string[] = [];
  if (timeouts === true) settings.push("request_timeout: 0.2");
  const general = `master_key: ${MASTER_KEY}, ${optionalFeatures(issuer)}${timeouts === true ? ", body_timeout: 0.1" : ""}${further === undefined ? "" : `, ${further}`}`;
  const callbacks = ["prometheus"];
  if (hooks !== undefined) {
    writeFileSync(join(folder, "hooks.mjs"), hooks(folder));
    callbacks.push(join(folder, "hooks.mjs"));
  }
  if (guard !== undefined) {
    writeFileSync(join(folder, "guard.json"), JSON.stringify(guard));
    settings.push(`guard: "${join(folder, "guard.json")}"`);
  }
  // Only requests that ask for it use the cache.
  settings.push("cache: true, cache_params: {type: local, mode: default_off}");
  settings.push(`callbacks: ${JSON.stringify(callbacks)}`);
  const openai = `api_base: "${url}/openai/v1", api_key: simulated, region_name: us`;
  const anthropic = `api_base: "${url}/anthropic", api_key: simulated, region_name: us`;
  const google = `api_base: "${url}/google", api_key: simulated, region_name: us`;
  const passing = "allowed_passthrough_routes: [/openai, /anthropic, /gemini]";
  return `model_list:
  - {model_name: gpt, litellm_params: {model: openai/gpt-4o, ${openai}}, model_info: {id: dep-gpt}}
  - {model_name: claude, litellm_params: {model: anthropic/claude-sonnet-4-5, ${anthropic}}}
  - {model_name: gemini, litellm_params: {model: gemini/gemini-2.5-flash, ${google}}}
  - {model_name: vectors, litellm_params: {model: openai/text-embedding-3-small, ${openai}}}
  - {model_name: vectors-google, litellm_params: {model: gemini/text-embedding-004, ${google}}}
  - {model_name: film, litellm_params: {model: openai/sora-2, ${openai}}}
router_settings: {num_retries: 0, disable_cooldowns: true}
gateway_settings: {${settings.join(", ")}}
general_settings: {${general}}
${more}
keys:
  - {key: ${keys.alice}, ${passing}, team_id: alice, team_metadata: {agents: [${HELPER}]}}
  - {key: ${keys.bob}, team_id: bob}
  - {key: ${keys.narrow}, ${passing}, team_id: alice, team_metadata: {agents: [${HELPER}]}, models: [nobody-has-it]}
  - {key: ${keys.elsewhere}, ${passing}, team_id: alice, team_metadata: {agents: [${HELPER}]}, allowed_model_region: mars}
  - {key: ${keys.spent}, ${passing}, team_id: alice, team_metadata: {agents: [${HELPER}]}, max_budget: 0.0000001}
`;
}

/** Spends the budget of the key that is to have none left. */
async function spend(gateway: TestGateway): Promise<void> {
  const body = { model: "gpt", messages: [{ role: "user", content: "hello" }], metadata };
  for (;;) {
    const answer = await gateway.call("/v1/chat/completions", { key: keys.spent, body });
    await answer.text();
    if (answer.status === 402) return;
  }
}

type Ids = Readonly<Partial<Record<Kind, string>>>;

async function make(gateway: TestGateway, kind: Exclude<Kind, "helper">, key: string): Promise<Ids> {
  const post = (path: string, body: unknown, by = key) => made(gateway.call(path, { key: by, body }), path);
  switch (kind) {
    case "file":
      return { file: await upload(gateway, "/v1/files", key, { purpose: "batch" }) };
    case "container":
      return { container: await post("/v1/containers", { name: "box" }) };
    case "containerFile": {
      const { container } = await make(gateway, "container", key);
      const file = await upload(gateway, `/v1/containers/${container}/files`, key, {});
      return { container: container!, containerFile: file };
    }
    case "video":
      return { video: await post("/v1/videos", { model: "film", prompt: "a cat", metadata }) };
    case "batch": {
      const { file } = await make(gateway, "file", key);
      const input = { input_file_id: file, endpoint: "/v1/chat/completions", completion_window: "24h" };
      return { file: file!, batch: await post("/v1/batches", input) };
    }
    case "messageBatch":
      return { messageBatch: await endedMessageBatch(gateway, key) };
    case "response":
      return {
        response: await post("/v1/responses", { model: "gpt", input: "hello", background: true, metadata }),
      };
    case "conversation":
      return { conversation: await post("/v1/conversations", {}) };
    case "item": {
      const { conversation } = await make(gateway, "conversation", key);
      const items = [{ type: "message", role: "user", content: "hello" }];
      return {
        conversation: conversation!,
        item: await post(`/v1/conversations/${conversation}/items`, { items }),
      };
    }
    case "agent":
      return { agent: await registered(gateway, `agent ${++agents}`) };
    default:
      return { [kind]: await makeManaged(gateway, kind) };
  }
}

/** What administrators make; teams and organizations have the user `member` in them. */
export async function makeManaged(gateway: TestGateway, kind: Kind): Promise<string> {
  const post = async (path: string, body: unknown): Promise<Record<string, string>> => {
    const answer = await gateway.call(path, { body });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as Record<string, string>;
  };
  const name = `managed ${++managedNames}`;
  switch (kind) {
    case "team": {
      const members_with_roles = [{ user_id: "member", role: "user" }];
      const models = ["gpt", "claude"];
      const { team_id } = await post("/team/new", { members_with_roles, models, metadata: teamMetadata });
      return team_id!;
    }
    case "organization": {
      const { organization_id } = await post("/organization/new", { organization_alias: name });
      const member = { user_id: "member", role: "internal_user" };
      await post("/organization/member_add", { organization_id, member });
      return organization_id!;
    }
    case "user":
      return (await post("/user/new", { auto_create_key: false })).user_id!;
    case "madeModel":
      return (await post("/model/new", madeModel())).model_id!;
    case "credential":
      await post("/credentials", madeCredential(name));
      return name;
    case "group":
      await post("/access_group/new", { access_group: name, model_names: ["claude"] });
      return name;
    case "customer":
      return (await post("/customer/new", { user_id: name })).user_id!;
    case "budget":
      return (await post("/budget/new", { max_budget: 1 })).budget_id!;
    case "tag":
      await post("/tag/new", { name });
      return name;
    case "audit": {
      await post("/budget/new", { max_budget: 1 });
      const answer = await gateway.call("/audit?page_size=1");
      return ((await answer.json()) as { audit_logs: { id: string }[] }).audit_logs[0]!.id;
    }
    default:
      return (await post("/key/generate", {})).key!;
  }
}

let managedNames = 0;
let agents = 0;

/** A model of a region that some keys may not use. */
export function madeModel(): JsonObject {
  const litellm_params = { model: "anthropic/made", mock_response: "hello", region_name: "us" };
  return { model_name: "made", litellm_params };
}

export function madeCredential(credential_name: string): JsonObject {
  return { credential_name, credential_values: { api_key: "simulated" } };
}

const HELPER = "helper";

function registered(gateway: TestGateway, name: string): Promise<string> {
  return made(gateway.call("/v1/agents", { body: agentCalled(name) }), "/v1/agents");
}

/** A local agent, which a model plays. */
export function agentCalled(name: string): object {
  return {
    agent_name: name,
    agent_card_params: { name, description: "Says it again" },
    gateway_params: { model: "gpt", instructions: "Say it again.", make_public: true },
  };
}

/** The id of what a request made. */
async function made(asking: Promise<Response>, path: string): Promise<string> {
  const answer = await asking;
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`);
  const object = JSON.parse(text) as Record<string, string> & { data?: readonly { id: string }[] };
  const { id, agent_id, key, model_id, data = [] } = object;
  return id ?? agent_id ?? key ?? model_id ?? data[0]?.id ?? "";
}

/** One without a model that there is: it ends soon, and no provider is asked. */
async function endedMessageBatch(gateway: TestGateway, key: string): Promise<string> {
  const path = "/v1/messages/batches";
  const params = { model: "nobody-knows-it", max_tokens: 9, messages: [{ role: "user", content: "hello" }] };
  const id = await made(
    gateway.call(path, { key, body: { requests: [{ custom_id: "one", params }] } }),
    path,
  );
  await until(
    async () => (await (await gateway.call(`${path}/${id}`)).json()) as { processing_status: string },
    ({ processing_status }) => processing_status === "ended",
  );
  return id;
}

/** Rows of a batch's input. */
export const ROWS = `${JSON.stringify({
  custom_id: "a",
  method: "POST",
  url: "/v1/chat/completions",
  body: { model: "gpt-4o", messages: [{ role: "user", content: "hello" }], metadata },
})}\n`;

async function upload(
  gateway: TestGateway,
  path: string,
  key: string,
  fields: Readonly<Record<string, string>>,
): Promise<string> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("file", new Blob([ROWS]), "rows.jsonl");
  const headers = { authorization: `Bearer ${key}` };
  return made(fetch(gateway.url + path, { method: "POST", headers, body: form }), path);
}
