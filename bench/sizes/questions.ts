import type { Operation } from "../../packages/gateway/test/rules/operations.ts";
import { keyHash, keyText } from "./rows.ts";

/** Who asks: an administrator by the master key, whoever administers the largest team or organization, a user. */
export const askers = {
  administrator: undefined,
  "team admin": keyText(0),
  "organization admin": keyText("chief"),
  "internal user": keyText(2),
} as const;

export type Asker = keyof typeof askers;

/** One way to ask a list or a report. */
export interface Question {
  readonly path: string;
  readonly body?: object;
  /** Only these ask. */
  readonly by?: readonly Asker[];
  /** What is too much for one answer is refused, in the same time. */
  readonly isRefused?: true | "in a large store";
}

/** How tables tell of a question: its path, and its body where that says something. */
export function textOfQuestion({ path, body = {} }: Question): string {
  return Object.keys(body).length === 0 ? path : `${path} ${JSON.stringify(body)}`;
}

const day = (before: number): string => new Date(Date.now() - before * 86_400_000).toISOString().slice(0, 10);
/** As the console's choice of days has it: to the moment. */
const since = (before: number): string => new Date(Date.now() - before * 86_400_000).toISOString();
const month = `start_date=${day(30)}&end_date=${day(1)}`;
const week = `start_date=${day(7)}&end_date=${day(0)}`;
const hours = `start_date=${day(3)}T05:30:00&end_date=${day(0)}T07:10:00`;
const admin = ["administrator"] as const;
const everybodyElse = ["team admin", "organization admin", "internal user"] as const;

const asked = (...paths: string[]): Question[] => paths.map((path) => ({ path }));

/** What a page of the console asks, beside what stands below. */
const overviews = [1, 24, 168, 720].map((each) => `/ui/overview?hours=${each}`);

/** The console's filters of the request log together: many rows have either, few or none have both. */
const busyAndRare = [
  `user_id=user-0&model=model-23`,
  `user_id=user-0&model=nobody`,
  `user_id=user-0&team_id=team-9000`,
  `team_id=team-0&model=model-23&start_date=${since(30)}`,
  `team_id=team-0&page=200`,
  `model=model-3&page=1000`,
  `api_key=${keyHash(0)}&model=model-17`,
  `api_key=${keyHash(0)}&model=model-17&start_date=${since(7)}`,
  `api_key=${keyHash(99_999)}`,
  `model=model-3&request_id=call-000000000fff`,
  `session_id=session-7&model=nobody`,
  `search=nobody&model=model-3&start_date=${day(80)}&end_date=${day(79)}`,
  `search=nobody&user_id=user-0&model=model-23`,
];

/** Lists and reports by the ids of their operations, each in the ways that matter for the store. */
export const questions: Readonly<Record<string, readonly Question[]>> = {
  listKeys: asked(
    "/key/list?return_full_object=true&page=1&size=25",
    "/key/list?return_full_object=true&page=900&size=100",
    "/key/list?return_full_object=true&size=25&key_alias=alias%2077",
    "/key/list?size=100&team_id=team-0",
    "/key/list?return_full_object=true&size=25&user_id=user-77",
    "/key/list?return_full_object=true&size=25&page=5&organization_id=organization-3",
    `/key/list?return_full_object=true&key_hash=${keyHash(77)}`,
    "/key/list?return_full_object=true&organization_id=organization-3&page=10&size=100",
  ),
  listKeyAliases: asked("/key/aliases", "/key/aliases?page=900&size=100"),
  listTeams: asked(
    "/team/list",
    "/team/list?organization_id=organization-0",
    "/team/list?user_id=user-1",
    "/team/list?team_alias=team%2077",
  ),
  listAvailableTeams: asked("/team/available"),
  listTeamCallbacks: asked("/team/team-0/callback"),
  listTeamPermissions: asked("/team/permissions_list?team_id=team-0"),
  listTeamPages: asked(
    "/v2/team/list?page=1&page_size=25",
    "/v2/team/list?page=90&page_size=100",
    "/v2/team/list?page=1&page_size=25&team_alias=team%2077",
    "/v2/team/list?page=1&page_size=25&user_id=user-1",
    "/v2/team/list?organization_id=organization-0&page=1&page_size=100",
  ),
  listUsers: asked(
    "/user/list?page=1&page_size=25",
    "/user/list?page=450&page_size=100",
    "/user/list?role=internal_user",
    "/user/list?role=proxy_admin",
    "/user/list?user_email=user-77@example.com",
    "/user/list?user_ids=user-1,user-7,user-9",
  ),
  listOrganizations: asked("/organization/list"),
  listCustomers: asked("/customer/list"),
  retrieveCustomer: asked("/customer/info?end_user_id=customer-7"),
  listBudgets: asked("/budget/list"),
  retrieveBudgets: [{ path: "/budget/info", body: { budgets: ["budget-1", "budget-2"] } }],
  listTags: asked("/tag/list"),
  retrieveTags: [{ path: "/tag/info", body: { names: ["tag-1", "tag-2"] } }],
  listAudit: asked(
    "/audit?page=1&page_size=25",
    "/audit?page=1500&page_size=100",
    "/audit?action=updated&object_id=nobody",
    `/audit?object_id=${keyHash(77)}`,
    `/audit?changed_by=nobody&page_size=25`,
    `/audit?changed_by=bench&action=updated&page=1500&page_size=100`,
    `/audit?changed_by_api_key=${keyHash(77)}&page_size=25`,
    `/audit?table_name=LiteLLM_TeamTable&page_size=25`,
    `/audit?sort_order=asc&page=1500&page_size=100`,
    `/audit?start_date=${day(1)}&end_date=${day(1)}&page_size=25`,
  ),
  retrieveAudit: asked("/audit/audit-777"),
  listUsersByScim: asked(
    "/scim/v2/Users?startIndex=1&count=100",
    "/scim/v2/Users?startIndex=40000&count=100",
    `/scim/v2/Users?filter=${encodeURIComponent('userName eq "user-77@example.com"')}`,
  ),
  showUserByScim: asked("/scim/v2/Users/user-77"),
  listGroupsByScim: asked(
    "/scim/v2/Groups?startIndex=1&count=100",
    "/scim/v2/Groups?startIndex=9900&count=100",
    `/scim/v2/Groups?filter=${encodeURIComponent('displayName eq "team 77"')}`,
  ),
  showGroupByScim: asked("/scim/v2/Groups/team-77"),
  listSpend: [
    ...asked(
      "/spend/logs?page=1&page_size=50",
      "/spend/logs?page=200&page_size=50",
      `/spend/logs?${week}&page_size=1000`,
      "/spend/logs?model=model-3&page_size=50",
      "/spend/logs?model=nobody&page_size=50",
      "/spend/logs?request_id=call-000000000fff",
      "/spend/logs?session_id=session-7&page_size=50",
      "/spend/logs?search=nobody&page_size=50",
      "/spend/logs?search=model&page=200&page_size=50",
      `/spend/logs?start_date=${since(1)}&page=20&page_size=50`,
      `/spend/logs?start_date=${since(30)}&page_size=1000`,
      `/spend/logs?model=nobody&start_date=${since(30)}&page_size=50`,
      `/spend/logs?start_date=${day(80)}&end_date=${day(79)}&page=50&page_size=50`,
      `/spend/logs?model=model-3&start_date=${day(80)}&end_date=${day(79)}&page_size=50`,
      "/spend/logs?end_date=2000-01-01&page_size=50",
    ),
    ...busyAndRare.map((filter): Question => ({ path: `/spend/logs?${filter}&page_size=50`, by: admin })),
    { path: `/spend/logs?api_key=${keyHash(0)}&page=200&page_size=50`, by: ["administrator", "team admin"] },
    { path: `/spend/logs?session_id=session-7&api_key=${keyHash(0)}`, by: ["administrator", "team admin"] },
    { path: "/spend/logs?team_id=team-1&page_size=50", by: admin },
    { path: "/spend/logs?user_id=user-40000&model=model-9&page_size=50", by: admin },
    { path: "/spend/logs?page=20000&page_size=50", by: admin },
  ],
  listSessions: asked(
    "/spend/sessions",
    `/spend/sessions?${week}`,
    `/spend/sessions?start_date=${day(80)}&end_date=${day(79)}`,
    "/spend/sessions?end_date=2000-01-01",
  ),
  listKeySpend: asked("/spend/keys?limit=100", "/spend/keys"),
  listUserSpend: asked("/spend/users", "/spend/users?user_id=user-1"),
  listTagSpend: asked("/spend/tags", `/spend/tags?${month}`),
  showSpend: asked("/global/spend", `/global/spend?${hours}`, "/global/spend?start_date=2000-01-01"),
  reportKeys: asked("/global/spend/keys?limit=100", `/global/spend/keys?${month}`),
  reportTeams: [
    { path: "/global/spend/teams", by: ["team admin", "organization admin", "internal user"] },
    { path: "/global/spend/teams", by: admin, isRefused: true },
    ...asked(`/global/spend/teams?start_date=${day(2)}&end_date=${day(1)}`),
  ],
  reportModels: asked("/global/spend/models", `/global/spend/models?${hours}`),
  reportTags: asked(`/global/spend/tags?${month}`, `/global/spend/tags?${month}&tags=tag-3,tag-6`),
  reportCustomers: [
    { path: "/global/spend/end_users", body: {} },
    { path: "/global/spend/end_users", body: { startTime: day(89), endTime: day(0) } },
    {
      path: "/global/spend/end_users",
      body: { api_key: keyText(0), startTime: day(89), endTime: day(0) },
      by: ["administrator", "team admin"],
    },
  ],
  reportProviders: asked(`/global/spend/provider?${month}`),
  reportDays: [
    ...asked("/global/spend/logs", "/global/spend/logs?start_date=2000-01-01"),
    { path: `/global/spend/logs?api_key=${keyText(0)}`, by: ["administrator", "team admin"] },
  ],
  reportSpend: [
    { path: `/global/spend/report?${month}`, by: admin, isRefused: true },
    { path: `/global/spend/report?start_date=${day(1)}&end_date=${day(1)}&format=csv`, by: admin },
    { path: `/global/spend/report?${month}&team_id=team-1`, by: admin },
    { path: `/global/spend/report?${month}&internal_user_id=user-0`, by: admin },
    { path: `/global/spend/report?${week}&customer_id=customer-0`, by: admin },
    { path: `/global/spend/report?${week}&group_by=api_key`, by: admin, isRefused: "in a large store" },
    { path: `/global/spend/report?${month}&api_key=${keyText(0)}`, by: admin },
    { path: `/global/spend/report?${month}&format=csv`, by: ["organization admin"] },
    { path: `/global/spend/report?${month}&group_by=customer`, by: ["internal user"] },
    {
      path: `/global/spend/report?${month}&group_by=customer`,
      by: ["team admin"],
      isRefused: "in a large store",
    },
    {
      path: `/global/spend/report?${month}&group_by=customer&team_id=team-0`,
      by: admin,
      isRefused: "in a large store",
    },
    { path: `/global/spend/report?${week}&group_by=organization`, by: ["team admin", "internal user"] },
    { path: `/global/spend/report?${month}&group_by=api_key`, by: ["team admin", "internal user"] },
  ],
  showUserActivity: [
    { path: `/user/daily/activity?${month}`, by: admin, isRefused: true },
    { path: `/user/daily/activity?${month}&user_id=user-0`, by: admin },
    { path: `/user/daily/activity?${month}&user_id=user-0&page=5&page_size=1000`, by: admin },
    { path: `/user/daily/activity?${month}`, by: everybodyElse },
  ],
  showTeamActivity: [
    { path: `/team/daily/activity?${month}`, by: admin, isRefused: true },
    { path: `/team/daily/activity?${month}&team_ids=team-0,team-5`, by: admin },
    { path: `/team/daily/activity?${month}`, by: everybodyElse },
  ],
  showOrganizationActivity: [
    { path: `/organization/daily/activity?${week}&organization_ids=organization-50`, by: admin },
    { path: `/organization/daily/activity?${week}`, by: ["organization admin"] },
  ],
  showCustomerActivity: [
    { path: `/customer/daily/activity?${week}&end_user_ids=customer-1`, by: admin },
    { path: `/customer/daily/activity?${week}&end_user_ids=customer-1&page_size=1000`, by: admin },
    { path: `/customer/daily/activity?${week}`, by: everybodyElse },
  ],
  showTagActivity: asked(`/tag/daily/activity?${week}&tags=tag-6`),
  showConfiguration: [{ path: "/ui/configuration", by: admin }],
  showOverview: asked(...overviews),
  retrieveKey: asked(`/key/info?key=${keyText(2)}`),
  retrieveTeam: asked("/team/info?team_id=team-0"),
  retrieveUser: asked("/user/info?user_id=user-1"),
  retrieveUserAlone: asked("/v2/user/info?user_id=user-1"),
  retrieveOrganization: asked("/organization/info?organization_id=organization-0"),
  retrieveOrganizations: [{ path: "/organization/info", body: { organizations: ["organization-0"] } }],
  showSession: asked("/ui/session"),
  listModels: asked("/v1/models"),
  listDeployments: asked("/v1/model/info"),
};

const ofProviders = "asks a provider, or shows one object of a caller's own";
const ofTenant =
  "a page of at most 100 objects of one tenant, by its index (for batches a test reads the plan)";
const ofConfiguration = "shows what is configured, or what is in memory";
const ofAnother = "the same statement as another question's";
const ofPage = "a page or a part of one, the same for everybody";

/** Operations that read nothing which grows with keys, teams or spend, and why. */
export const exempt: Readonly<Record<string, string>> = Object.fromEntries([
  ...named(
    ofProviders,
    "retrieveFile downloadFile retrieveConversation listConversationItems retrieveConversationItem retrieveResponse",
    "listInputItems retrieveBatch retrieveMessageBatch messageBatchResults retrieveContainer listContainerFiles",
    "retrieveContainerFile downloadContainerFile retrieveVideo downloadVideo listContainers passGet passGeminiGet",
  ),
  ...named(ofTenant, "listFiles listBatches listMessageBatches listVideos"),
  ...named(
    ofConfiguration,
    "webhookSecret listAgents retrieveAgent agentCard agentCardAtItsOldName listPublicAgents listGeminiModels",
    "retrieveGeminiModel retrieveModel listDeploymentPages listModelGroups listCredentials retrieveCredential",
    "retrieveModelCredential listAccessGroups retrieveAccessGroup listRoles listBudgetSettings listProviderBudgets pingCache",
    "checkLiveliness checkLiveness checkReadiness listDeploymentHealth readMetrics beginSignIn finishSignIn showSignIn",
  ),
  ...named(ofAnother, "listEndUsers retrieveEndUser"),
  ...named(
    ofPage,
    "openConsole showConsole loadConsolePart home showDescription loadDescriptionPart describe showScimConfiguration",
    "listScimSchemas listScimResourceTypes",
  ),
]);

function named(why: string, ...lists: readonly string[]): [string, string][] {
  return lists.flatMap((list) => list.split(" ").map((id): [string, string] => [id, why]));
}

/** Operations that read, by the route table, for which nobody has said what to ask. */
export function lackingQuestions(operations: readonly Operation[]): string[] {
  return operations
    .filter(({ method, id }) => method === "GET" || READS.test(id))
    .filter(({ id }) => exempt[id] === undefined && questions[id] === undefined)
    .map(({ id, method, path }) => `${id} (${method} ${path})`);
}

/** How the ids of operations begin that read by another method than GET. */
const READS = /^(?:list|report|show|retrieve|search|export)[A-Z]/;
