import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import type { JsonObject } from "../../src/contract/json.ts";
import { type RawAnswer, rawRequest } from "../support/raw-request.ts";
import type { Operation } from "./operations.ts";
import { VERIFIER } from "./sign-in.ts";
import { agentCalled, type Kind, keys, madeCredential, madeModel, ROWS, type Stage } from "./stage.ts";

export type Ids = Readonly<Partial<Record<Kind, string>>>;

/** How an operation is called, and what it does then. The rules' table says "n/a" by these facts, and tests them. */
export interface Example {
  /** What must have been made before; the path's ids are its. */
  readonly needs?: Kind;
  /** In the path; `gpt` where absent. */
  readonly model?: string;
  readonly query?: (ids: Ids) => string;
  readonly body?: (ids: Ids) => JsonObject;
  /** The fields of a page's form; sent in place of the body. */
  readonly fields?: (ids: Ids) => Readonly<Record<string, string>>;
  readonly headers?: (ids: Ids) => Readonly<Record<string, string>>;
  /** In place of 200. */
  readonly success?: 201 | 204 | 303;
  /** A part `file`, and these fields; sent in place of the body. */
  readonly form?: Readonly<Record<string, string>>;
  /** Whether it leads to a deployment or to what one has made, so that the key's region and models bind it. */
  readonly isBound: boolean;
  /** Not bound itself: its requests run later, each as a call of its own. */
  readonly runsLater?: true;
  /** Whether hooks see it. */
  readonly hooks: boolean;
  /** Whether a key whose budget is spent is refused. */
  readonly costs: boolean;
  /** Asked by an administrator, who may look at all. */
  readonly byAdmin?: true;
  /** Who may is said by the table of roles (docs/gateway/roles.md), which has a test of its own. */
  readonly isManaged?: true;
  /** Answers 200 and a list of what a tenant has made. */
  readonly lists?: Kind;
  /** Answers each tenant something else, without naming it. */
  readonly isPersonal?: true;
  /** An agent's turn: once begun, it fails as a task. */
  readonly isTask?: true;
  /** Hooks see the answer of the model behind it, which is not the one that the caller gets. */
  readonly hooksSeeModels?: true;
  /** The gateway keeps what it answers, so that no provider is waited for. */
  readonly isKept?: true;
  /** Shows deployments or models, of those that the key may use. */
  readonly shows?: true;
  /** Where an administrator decides who sees them, and every key may change them (specification, Agents). */
  readonly isShared?: true;
  /** Is answered by the gateway itself where no provider may be asked. */
  readonly hasOwnAnswer?: true;
}

const googleContent = { parts: [{ text: "ORIGINAL" }] };
const user = { role: "user", content: "ORIGINAL" };
const asking = { isBound: true, hooks: true, costs: true } as const;
const own = { isBound: false, hooks: false, costs: false } as const;
/** What the gateway keeps itself, under the rules of a call all the same. */
const kept = { isBound: false, hooks: true, costs: true } as const;

/** What reads, deletes or cancels, which costs nothing. */
const free = { ...asking, costs: false } as const;
const freeKept = { ...kept, costs: false } as const;

const managed = { ...own, byAdmin: true, isManaged: true } as const;

const inPeriod = { ...managed, query: () => "?start_date=2026-01-01&end_date=2026-01-31" } as const;

const reports: Readonly<Record<string, Example>> = {
  listKeySpend: managed,
  listUserSpend: managed,
  listTagSpend: managed,
  showSpend: managed,
  reportKeys: managed,
  reportTeams: managed,
  reportModels: managed,
  reportTags: inPeriod,
  reportCustomers: { ...managed, body: () => ({}) },
  reportProviders: inPeriod,
  reportDays: managed,
  reportSpend: inPeriod,
  showUserActivity: inPeriod,
  showTeamActivity: inPeriod,
  showOrganizationActivity: inPeriod,
  showCustomerActivity: inPeriod,
  showTagActivity: inPeriod,
};

/** A name that nobody has yet. */
const fresh = (): string => `made ${Math.random()}`;

/** Customers, and the same by their older name. */
const customers: Readonly<Record<string, Example>> = {
  createCustomer: { ...managed, body: () => ({ user_id: fresh() }) },
  updateCustomer: {
    ...managed,
    needs: "customer",
    body: ({ customer }) => ({ user_id: customer!, alias: "c" }),
  },
  blockCustomers: { ...managed, needs: "customer", body: ({ customer }) => ({ user_ids: [customer!] }) },
  unblockCustomers: { ...managed, needs: "customer", body: ({ customer }) => ({ user_ids: [customer!] }) },
  deleteCustomers: { ...managed, needs: "customer", body: ({ customer }) => ({ user_ids: [customer!] }) },
  retrieveCustomer: {
    ...managed,
    needs: "customer",
    query: ({ customer }) => `?end_user_id=${encodeURIComponent(customer!)}`,
  },
  listCustomers: managed,
};
const atBothNames = Object.fromEntries(
  Object.entries(customers).flatMap(([id, example]) => [
    [id, example],
    [id.replace("Customer", "EndUser"), example],
  ]),
);

const scimUser = () => ({
  userName: fresh(),
  externalId: fresh(),
  active: true,
  name: { givenName: "a", familyName: "b" },
  emails: [{ value: `${randomUUID()}@example.com`, primary: true }],
});
const scimGroup = () => ({ displayName: fresh(), externalId: fresh(), members: [] });
const scimPatch = () => ({
  Operations: [
    { op: "replace", path: "externalId", value: fresh() },
    { op: "add", value: { active: true, displayName: "a" } },
  ],
});

const scim: Readonly<Record<string, Example>> = {
  listUsersByScim: managed,
  createUserByScim: { ...managed, success: 201, body: scimUser },
  showUserByScim: { ...managed, needs: "user" },
  replaceUserByScim: { ...managed, needs: "user", body: scimUser },
  patchUserByScim: { ...managed, needs: "user", body: scimPatch },
  deleteUserByScim: { ...managed, needs: "user", success: 204 },
  listGroupsByScim: managed,
  createGroupByScim: { ...managed, success: 201, body: scimGroup },
  showGroupByScim: { ...managed, needs: "team" },
  replaceGroupByScim: { ...managed, needs: "team", body: scimGroup },
  patchGroupByScim: { ...managed, needs: "team", body: scimPatch },
  deleteGroupByScim: { ...managed, needs: "team", success: 204 },
  showScimConfiguration: managed,
  listScimResourceTypes: managed,
  listScimSchemas: managed,
};

const cookieOf = ({ cookie }: Ids) => ({ cookie: cookie! });

const signIn: Readonly<Record<string, Example>> = {
  beginSignIn: { ...own, success: 303 },
  finishSignIn: {
    ...own,
    needs: "signIn",
    success: 303,
    query: ({ signIn: back }) => `?${back}`,
    headers: cookieOf,
  },
  confirmCommandLine: {
    ...own,
    needs: "consent",
    success: 303,
    fields: ({ consent }) => ({ ticket: consent!, answer: "approve" }),
    headers: cookieOf,
  },
  signInCommandLine: {
    ...own,
    needs: "commandLine",
    body: ({ commandLine }) => ({ code: commandLine!, code_verifier: VERIFIER }),
  },
  showSignIn: own,
  endSignIn: { ...own, needs: "session" },
};

/** An example for each operation, by its id in `/openapi.json`. */
export const examples: Readonly<Record<string, Example>> = {
  createChatCompletion: { ...asking, body: () => ({ model: "gpt", messages: [user] }) },
  createMessage: { ...asking, body: () => ({ model: "claude", max_tokens: 20, messages: [user] }) },
  countMessageTokens: { ...asking, hasOwnAnswer: true, body: () => ({ model: "claude", messages: [user] }) },
  generateContent: { ...asking, model: "gemini", body: contents },
  streamGenerateContent: { ...asking, model: "gemini", query: () => "?alt=sse", body: contents },
  countContentTokens: { ...asking, model: "gemini", hasOwnAnswer: true, body: contents },
  embedContent: {
    ...asking,
    model: "vectors-google",
    hooksSeeModels: true,
    body: () => ({ content: googleContent }),
  },
  batchEmbedContents: {
    ...asking,
    hooksSeeModels: true,
    model: "vectors-google",
    body: () => ({ requests: [{ model: "models/vectors-google", content: googleContent }] }),
  },
  listGeminiModels: { ...own, shows: true },
  retrieveGeminiModel: { ...own, shows: true },

  createEmbedding: { ...asking, model: "vectors", body: () => ({ model: "vectors", input: "ORIGINAL" }) },

  passGet: free,
  passPost: { ...asking, body: () => ({ name: "ORIGINAL" }) },
  passDelete: free,
  passGeminiGet: free,
  passGeminiPost: { ...asking, body: () => ({ displayName: "ORIGINAL" }) },
  passGeminiPatch: { ...asking, body: () => ({ displayName: "ORIGINAL" }) },
  passGeminiDelete: free,

  createFile: { ...asking, form: { purpose: "batch" } },
  listFiles: { ...free, lists: "file" },
  retrieveFile: { ...free, needs: "file" },
  deleteFile: { ...free, needs: "file" },
  downloadFile: { ...free, needs: "file" },

  createConversation: { ...kept, body: () => ({ metadata: { a: "ORIGINAL" } }) },
  retrieveConversation: { ...freeKept, needs: "conversation" },
  updateConversation: {
    ...kept,
    needs: "conversation",
    body: () => ({ metadata: { a: "ORIGINAL" } }),
  },
  deleteConversation: { ...freeKept, needs: "conversation" },
  listConversationItems: { ...freeKept, needs: "item" },
  createConversationItems: {
    ...kept,
    needs: "conversation",
    body: () => ({ items: [{ type: "message", ...user }] }),
  },
  retrieveConversationItem: { ...freeKept, needs: "item" },
  deleteConversationItem: { ...freeKept, needs: "item" },

  createResponse: { ...asking, body: () => ({ model: "gpt", input: "ORIGINAL" }) },
  countResponseInputTokens: { ...asking, body: () => ({ model: "gpt", input: "ORIGINAL" }) },
  compactResponse: { ...asking, body: () => ({ model: "gpt", input: "ORIGINAL" }) },
  retrieveResponse: { ...free, needs: "response" },
  deleteResponse: { ...free, needs: "response" },
  listInputItems: { ...free, isKept: true, needs: "response" },
  cancelResponse: { ...free, needs: "response" },

  createBatch: {
    ...asking,
    needs: "file",
    body: ({ file }) => ({
      input_file_id: file!,
      endpoint: "/v1/chat/completions",
      completion_window: "24h",
      metadata: { a: "ORIGINAL" },
    }),
  },
  listBatches: { ...free, lists: "batch" },
  retrieveBatch: { ...free, needs: "batch" },
  cancelBatch: { ...free, needs: "batch", body: () => ({}) },
  createMessageBatch: {
    ...asking,
    isBound: false,
    runsLater: true,
    body: () => ({
      // No provider is asked for it, whenever it runs.
      requests: [{ custom_id: "one", params: { model: "nobody-knows-it", max_tokens: 9, messages: [user] } }],
    }),
  },
  listMessageBatches: { ...freeKept, lists: "messageBatch" },
  retrieveMessageBatch: { ...freeKept, isKept: true, needs: "messageBatch" },
  cancelMessageBatch: { ...freeKept, isKept: true, needs: "messageBatch" },
  deleteMessageBatch: { ...freeKept, isKept: true, needs: "messageBatch" },
  messageBatchResults: { ...freeKept, isKept: true, needs: "messageBatch" },
  webhookSecret: { ...own, isPersonal: true },

  listAgents: { ...own, lists: "helper" },
  createAgent: { ...own, isShared: true, body: () => agentCalled(`created ${Math.random()}`) as JsonObject },
  retrieveAgent: { ...own, isShared: true, needs: "agent" },
  replaceAgent: {
    ...own,
    isShared: true,
    needs: "agent",
    body: () => agentCalled(`replaced ${Math.random()}`) as JsonObject,
  },
  changeAgent: {
    ...own,
    isShared: true,
    needs: "agent",
    body: () => ({ agent_card_params: { description: "changed" } }),
  },
  deleteAgent: { ...own, isShared: true, needs: "agent" },
  makeAgentsPublic: {
    ...own,
    isShared: true,
    needs: "agent",
    body: ({ agent }) => ({ agent_ids: [agent!] }),
  },
  makeAgentPublic: { ...own, isShared: true, needs: "agent" },
  agentCard: { ...own, isShared: true, needs: "agent" },
  agentCardAtItsOldName: { ...own, isShared: true, needs: "agent" },
  listPublicAgents: own,
  callAgent: { ...asking, hooksSeeModels: true, isTask: true, needs: "helper", body: a2aMessage },
  callAgentAtLiteLlmsPath: {
    ...asking,
    hooksSeeModels: true,
    isTask: true,
    needs: "helper",
    body: a2aMessage,
  },

  createContainer: { ...asking, body: () => ({ name: "ORIGINAL" }) },
  listContainers: { ...free, lists: "container" },
  retrieveContainer: { ...free, needs: "container" },
  deleteContainer: { ...free, needs: "container" },
  createContainerFile: { ...asking, needs: "container", form: {} },
  listContainerFiles: { ...free, needs: "containerFile" },
  retrieveContainerFile: { ...free, needs: "containerFile" },
  deleteContainerFile: { ...free, needs: "containerFile" },
  downloadContainerFile: { ...free, needs: "containerFile" },

  createVideo: { ...asking, body: () => ({ model: "film", prompt: "ORIGINAL" }) },
  listVideos: { ...free, lists: "video" },
  retrieveVideo: { ...free, needs: "video" },
  deleteVideo: { ...free, needs: "video" },
  downloadVideo: { ...free, needs: "video" },
  remixVideo: { ...asking, needs: "video", body: () => ({ prompt: "ORIGINAL" }) },

  countTokens: {
    ...own,
    isBound: true,
    hasOwnAnswer: true,
    body: () => ({ model: "gpt", messages: [user] }),
  },
  calculateSpend: {
    ...own,
    isBound: true,
    hasOwnAnswer: true,
    body: () => ({ model: "gpt", messages: [user] }),
  },
  listModels: { ...own, shows: true },
  retrieveModel: { ...own, shows: true },
  listDeployments: { ...own, shows: true },
  listDeploymentPages: { ...own, shows: true },
  listModelGroups: { ...own, shows: true },
  generateKey: { ...managed, body: () => ({ key_alias: fresh() }) },
  generateServiceAccount: { ...managed, needs: "team", body: ({ team }) => ({ team_id: team! }) },
  updateKey: { ...managed, needs: "key", body: ({ key }) => ({ key: key!, key_alias: fresh() }) },
  updateKeys: { ...managed, body: () => ({ keys: [] }) },
  deleteKeys: { ...managed, needs: "key", body: ({ key }) => ({ keys: [key!] }) },
  blockKey: { ...managed, needs: "key", body: ({ key }) => ({ key: key! }) },
  unblockKey: { ...managed, needs: "key", body: ({ key }) => ({ key: key! }) },
  regenerateKey: { ...managed, needs: "key", body: ({ key }) => ({ key: key! }) },
  resetKeySpend: { ...managed, needs: "key", body: () => ({ reset_to: 0 }) },
  regenerateKeyByPath: { ...managed, needs: "key", body: () => ({}) },
  checkKey: own,
  retrieveKey: { ...managed, needs: "key", query: ({ key }) => `?key=${key}` },
  listKeys: managed,
  listKeyAliases: managed,

  createTeam: { ...managed, body: () => ({ team_alias: "made" }) },
  updateTeam: { ...managed, needs: "team", body: ({ team }) => ({ team_id: team!, team_alias: "changed" }) },
  deleteTeams: { ...managed, needs: "team", body: ({ team }) => ({ team_ids: [team!] }) },
  blockTeam: { ...managed, needs: "team", body: ({ team }) => ({ team_id: team! }) },
  unblockTeam: { ...managed, needs: "team", body: ({ team }) => ({ team_id: team! }) },
  retrieveTeam: { ...managed, needs: "team", query: ({ team }) => `?team_id=${team}` },
  listTeams: managed,
  listTeamPages: managed,
  listAvailableTeams: managed,
  addTeamMember: {
    ...managed,
    needs: "team",
    body: ({ team }) => ({ team_id: team!, member: { user_id: "somebody", role: "user" } }),
  },
  addTeamMembers: {
    ...managed,
    needs: "team",
    body: ({ team }) => ({ team_id: team!, members: [{ user_id: "somebody", role: "user" }] }),
  },
  updateTeamMember: {
    ...managed,
    needs: "team",
    body: ({ team }) => ({ team_id: team!, user_id: "member", role: "admin" }),
  },
  deleteTeamMember: {
    ...managed,
    needs: "team",
    body: ({ team }) => ({ team_id: team!, user_id: "member" }),
  },
  resetTeamSpend: { ...managed, needs: "team", body: () => ({ reset_to: 0 }) },
  resetTeamMemberSpend: { ...managed, needs: "team", body: () => ({ reset_to: 0 }) },
  listTeamCallbacks: { ...managed, needs: "team" },
  addTeamCallback: {
    ...managed,
    needs: "team",
    body: () => ({
      callback_name: "arize",
      callback_type: "success",
      callback_vars: {
        arize_api_key: "one",
        arize_space_id: "two",
        arize_http_endpoint: "https://arize.invalid",
      },
    }),
  },
  deleteTeamCallback: { ...managed, needs: "team" },
  disableTeamLogging: { ...managed, needs: "team" },
  addTeamModels: { ...managed, needs: "team", body: ({ team }) => ({ team_id: team!, models: ["gpt"] }) },
  deleteTeamModels: { ...managed, needs: "team", body: ({ team }) => ({ team_id: team!, models: ["gpt"] }) },
  listTeamPermissions: { ...managed, needs: "team", query: ({ team }) => `?team_id=${team}` },
  updateTeamPermissions: {
    ...managed,
    needs: "team",
    body: ({ team }) => ({ team_id: team!, team_member_permissions: ["/key/generate"] }),
  },

  createUser: { ...managed, body: () => ({ user_alias: "made" }) },
  updateUser: {
    ...managed,
    needs: "user",
    body: ({ user: id }) => ({ user_id: id!, user_alias: "changed" }),
  },
  deleteUsers: { ...managed, needs: "user", body: ({ user: id }) => ({ user_ids: [id!] }) },
  retrieveUser: { ...managed, needs: "user", query: ({ user: id }) => `?user_id=${id}` },
  retrieveUserAlone: { ...managed, needs: "user", query: ({ user: id }) => `?user_id=${id}` },
  listUsers: managed,
  listRoles: managed,

  createOrganization: { ...managed, body: () => ({ organization_alias: "made" }) },
  updateOrganization: {
    ...managed,
    needs: "organization",
    body: ({ organization }) => ({ organization_id: organization!, organization_alias: "changed" }),
  },
  deleteOrganizations: {
    ...managed,
    needs: "organization",
    body: ({ organization }) => ({ organization_ids: [organization!] }),
  },
  retrieveOrganization: {
    ...managed,
    needs: "organization",
    query: ({ organization }) => `?organization_id=${organization}`,
  },
  retrieveOrganizations: {
    ...managed,
    needs: "organization",
    body: ({ organization }) => ({ organizations: [organization!] }),
  },
  listOrganizations: managed,
  addOrganizationMember: {
    ...managed,
    needs: "organization",
    body: ({ organization }) => ({
      organization_id: organization!,
      member: { user_id: "somebody", role: "internal_user" },
    }),
  },
  updateOrganizationMember: {
    ...managed,
    needs: "organization",
    body: ({ organization }) => ({ organization_id: organization!, user_id: "member", role: "org_admin" }),
  },
  deleteOrganizationMember: {
    ...managed,
    needs: "organization",
    body: ({ organization }) => ({ organization_id: organization!, user_id: "member" }),
  },

  ...atBothNames,

  createBudget: { ...managed, body: () => ({ max_budget: 1 }) },
  updateBudget: {
    ...managed,
    needs: "budget",
    body: ({ budget }) => ({ budget_id: budget!, max_budget: 2 }),
  },
  deleteBudget: { ...managed, needs: "budget", body: ({ budget }) => ({ id: budget! }) },
  retrieveBudgets: { ...managed, needs: "budget", body: ({ budget }) => ({ budgets: [budget!] }) },
  listBudgets: managed,
  listProviderBudgets: managed,
  listBudgetSettings: { ...managed, needs: "budget", query: ({ budget }) => `?budget_id=${budget}` },

  createTag: { ...managed, body: () => ({ name: fresh() }) },
  updateTag: { ...managed, needs: "tag", body: ({ tag }) => ({ name: tag!, description: "changed" }) },
  deleteTag: { ...managed, needs: "tag", body: ({ tag }) => ({ name: tag! }) },
  retrieveTags: { ...managed, needs: "tag", body: ({ tag }) => ({ names: [tag!] }) },
  listTags: managed,

  ...signIn,
  ...scim,
  listAudit: managed,
  retrieveAudit: { ...managed, needs: "audit" },
  listSpend: managed,
  listSessions: managed,
  ...reports,
  createModel: { ...own, body: madeModel },
  updateModel: { ...own, needs: "madeModel", body: ({ madeModel: id }) => ({ id: id!, model_name: "made" }) },
  patchModel: { ...own, needs: "madeModel", body: () => ({ model_name: "made" }) },
  deleteModel: { ...own, needs: "madeModel", body: ({ madeModel: id }) => ({ id: id! }) },
  createCredential: { ...own, body: () => madeCredential(randomUUID()) },
  listCredentials: own,
  retrieveCredential: { ...own, needs: "credential" },
  retrieveModelCredential: { ...own, needs: "madeModel" },
  updateCredential: { ...own, needs: "credential", body: () => ({ credential_info: { note: "a" } }) },
  deleteCredential: { ...own, needs: "credential" },
  createAccessGroup: { ...own, body: () => ({ access_group: randomUUID(), model_names: ["claude"] }) },
  listAccessGroups: own,
  retrieveAccessGroup: { ...own, needs: "group" },
  updateAccessGroup: { ...own, needs: "group", body: () => ({ model_names: ["claude"] }) },
  deleteAccessGroup: { ...own, needs: "group" },
  pingCache: own,
  deleteCachedAnswers: { ...own, body: () => ({ keys: [`portico:answer:${"0".repeat(64)}`] }) },
  flushCache: { ...own, body: () => ({}) },

  checkLiveliness: own,
  checkLiveness: own,
  checkReadiness: own,
  listDeploymentHealth: { ...own, shows: true },
  readMetrics: own,
  home: own,
  describe: own,
  showDescription: own,
  loadDescriptionPart: own,
  openConsole: own,
  showConsole: own,
  loadConsolePart: own,
  signIn: { ...own, body: () => ({ key: keys.alice }) },
  showSession: own,
  signOut: own,
  showOverview: own,
  showConfiguration: managed,
};

function contents(): JsonObject {
  return { contents: [{ role: "user", ...googleContent }] };
}

function a2aMessage(): JsonObject {
  const message = { messageId: "m1", role: "ROLE_USER", parts: [{ text: "ORIGINAL" }] };
  return { jsonrpc: "2.0", id: "call", method: "SendMessage", params: { message } };
}

/** What providers have and the gateway has not: the collection, or one of it. */
const passedPaths: Readonly<Record<string, string>> = {
  openai: "v1/threads",
  anthropic: "v1/environments",
  gemini: "v1beta/cachedContents",
};

function passedPath(method: string, form: string): string {
  const [, prefix = ""] = form.split("/");
  // OpenAI lists no threads.
  if (method === "GET" && prefix === "openai") return "v1/assistants";
  return passedPaths[prefix] + (method === "DELETE" || method === "PATCH" ? "/one" : "");
}

/** Which kind of object a path's parameter names. */
export function kindOf(parameter: string, path: string): Kind | undefined {
  if (parameter === "file_id") return path.includes("containers") ? "containerFile" : "file";
  if (parameter === "id") return path.includes("/Users") ? "user" : "team";
  if (parameter === "model_id") return "madeModel";
  if (parameter === "message_batch_id") return "messageBatch";
  if (parameter === "credential_name") return "credential";
  if (parameter === "access_group") return "group";
  const name = parameter.replace(/_id$/, "");
  return [
    "container",
    "video",
    "batch",
    "response",
    "conversation",
    "item",
    "agent",
    "key",
    "team",
    "audit",
  ].includes(name)
    ? (name as Kind)
    : undefined;
}

/** A form's path with its ids in place. */
export function addressOf({ id, method }: Operation, form: string, ids: Ids, model?: string): string {
  return form.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    if (name === "provider") return "openai";
    if (name === "path") return passedPath(method, form);
    if (name === "file") return form.includes("/ui/") ? consoleFile() : "start.js";
    if (name === "model") return model ?? examples[id]!.model ?? "gpt";
    if (["project", "location", "publisher"].includes(name)) return "any";
    // Teams that are made for this have one.
    if (form.includes("/member/") && name === "user_id") return "member";
    if (name === "callback_name") return "logfire";
    return encodeURIComponent((name.startsWith("agent") && ids.helper) || ids[kindOf(name, form)!]!);
  });
}

/** Models by what they answer: each asked for the same, of which one speaks the caller's format and the others do not. */
const families = [
  ["gpt", "claude", "gemini"],
  ["vectors", "vectors-google"],
];

/** The models that an operation may name in place of its example's own; none where it names no model. */
export function modelsFor({ id, ids }: Operation): readonly string[] {
  const { model, body } = examples[id]!;
  const own = ids.includes("model") ? (model ?? "gpt") : body?.({}).model;
  return families.find((family) => family.includes(String(own))) ?? [];
}

/** One of the files that the console's build has made. */
function consoleFile(): string {
  return readdirSync(resolve(import.meta.dirname, "../../../console/dist/assets"))[0]!;
}

/** The status of an operation that was done. */
export function successOf({ id }: Operation): number {
  return examples[id]!.success ?? 200;
}

export interface Asking {
  /** In place of Alice's, or for operations of administrators the master key. */
  readonly key?: string;
  /** In place of the main path. */
  readonly form?: string;
  /** In place of objects made for this request. */
  readonly ids?: Ids;
  /** In place of the example's own. */
  readonly body?: JsonObject;
  /** In place of the example's form. */
  readonly upload?: { readonly fileName?: string; readonly fields?: Readonly<Record<string, string>> };
  /** Behind the example's own. */
  readonly query?: string;
  readonly callId?: string;
  /** Beside the example's own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of the example's, in the path or in the body. */
  readonly model?: string;
}

/** Makes what the example needs, then sends it. */
export async function ask(stage: Stage, operation: Operation, asking: Asking = {}): Promise<RawAnswer> {
  const { needs, query, body, form, byAdmin, ...rest } = examples[operation.id]!;
  const ids = asking.ids ?? (needs === undefined ? {} : await stage.make(needs));
  const { url, masterKey } = stage.gateway;
  const isAdmins = byAdmin === true || operation.access === "admin";
  const key = asking.key ?? ids.session ?? (isAdmins ? masterKey : keys.alice);
  const path = addressOf(operation, asking.form ?? operation.path, ids, asking.model) + (query?.(ids) ?? "");
  const address =
    asking.query === undefined ? path : `${path}${path.includes("?") ? "&" : "?"}${asking.query}`;
  const more: Record<string, string> = {
    ...(asking.callId === undefined ? {} : { "x-portico-call-id": asking.callId }),
    ...(operation.path === "/ui/session" ? { "x-portico-console": "1" } : {}),
    ...rest.headers?.(ids),
    ...asking.headers,
  };
  stage.forget();
  const fields = asking.upload?.fields ?? (asking.body === undefined ? form : undefined);
  if (fields !== undefined) {
    const { text, type } = formText(fields, asking.upload?.fileName);
    return rawRequest(url, operation.method, address, key, text, { ...more, "content-type": type });
  }
  if (rest.fields !== undefined) {
    const text = new URLSearchParams({ ...rest.fields(ids), ...(asking.body as Record<string, string>) });
    const type = "application/x-www-form-urlencoded";
    return rawRequest(url, operation.method, address, key, `${text}`, { ...more, "content-type": type });
  }
  const given = asking.body ?? body?.(ids);
  const json =
    asking.model === undefined || given?.model === undefined ? given : { ...given, model: asking.model };
  return rawRequest(url, operation.method, address, key, json && JSON.stringify(json), more);
}

function formText(
  fields: Readonly<Record<string, string>>,
  fileName = "rows.jsonl",
): { text: string; type: string } {
  const part = (name: string, value: string): string =>
    `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const file = `--x\r\ncontent-disposition: form-data; name="file"; filename="${fileName}"\r\n\r\n${ROWS}\r\n`;
  const parts = Object.entries(fields).map(([name, value]) => part(name, value));
  return { text: `${parts.join("")}${file}--x--\r\n`, type: "multipart/form-data; boundary=x" };
}
