import { isJsonObject, type JsonObject, ownMember } from "../../../contract/json.ts";
import { parseDuration } from "../../../util/duration.ts";
import { nameHint } from "../../../util/nearest-name.ts";
import { type Option, WrongValue } from "./option.ts";

const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
const isText = (value: unknown) => typeof value === "string" && value !== "";
const isLength = (value: unknown) => typeof value === "string" && parseDuration(value) !== undefined;

/** Fields of `/key/generate` that may have an upper bound (LiteLLM's `LiteLLM_UpperboundKeyGenerateParams`). */
const bounds = {
  max_budget: ["US dollars", (value: unknown) => typeof value === "number" && value >= 0],
  budget_duration: ["a length of time, such as 30d", isLength],
  duration: ["a length of time, such as 30d", isLength],
  max_parallel_requests: ["a whole number, at least 0", isCount],
  tpm_limit: ["a whole number, at least 0", isCount],
  rpm_limit: ["a whole number, at least 0", isCount],
} as const;

/** What of a key's metadata proxy administrators alone give: the agents that it sees, and the priority of its calls. */
export const GRANTED_IN_METADATA = ["agents", "priority"];

/** What of a key's metadata somebody has to give it. */
const GRANTED = [...GRANTED_IN_METADATA, "logging"];

/** Those that may have a default. */
const defaults = {
  ...bounds,
  user_id: ["text", isText],
  team_id: ["text", isText],
  models: ["a list of models", (value: unknown) => Array.isArray(value) && value.every(isText)],
  metadata: [
    `a map without ${GRANTED.join(", ")}, which administrators give to single keys`,
    (value: unknown) => isJsonObject(value) && !GRANTED.some((name) => Object.hasOwn(value, name)),
  ],
} as const;

const { duration: _, ...ofEntities } = bounds;
const { models } = defaults;

/** Roles that a new user may have without anybody saying so. */
export const ROLES_BY_DEFAULT = ["internal_user", "internal_user_viewer"] as const;

/** LiteLLM's `DefaultInternalUserParams`; `check-config.ts` warns of `teams` and of other roles. */
const usersDefaults = {
  ...ofEntities,
  models,
  user_role: ["a role", isText],
  teams: ["a list of teams", (value: unknown) => Array.isArray(value)],
  available_teams: ["a list of teams", (value: unknown) => Array.isArray(value)],
} as const;

/** LiteLLM's `DefaultTeamSSOParams`. */
const teamsDefaults = {
  ...ofEntities,
  models,
  team_member_permissions: [
    "a list of paths",
    (value: unknown) => Array.isArray(value) && value.every(isText),
  ],
} as const;

/** What new internal users have where nobody says. */
export const userDefaults = (doc: string) => fieldsByTable(usersDefaults, doc);

/** What teams have that the gateway makes itself. */
export const teamDefaults = (doc: string) => fieldsByTable(teamsDefaults, doc);

/** What new keys have where their request does not say. */
export const keyDefaults = (doc: string) => fieldsByTable(defaults, doc);

/** What keys may be given at most. */
export const keyBounds = (doc: string) => fieldsByTable(bounds, doc);

type Fields = Readonly<Record<string, readonly [shape: string, fits: (value: unknown) => boolean]>>;

function fieldsByTable(fields: Fields, doc: string): Option<JsonObject> {
  const names = Object.keys(fields);
  const shape = `a map of ${names.join(", ")}`;
  return {
    shape,
    initial: {},
    doc,
    read: (value) => {
      if (!isJsonObject(value)) return new WrongValue(`expected ${shape}`);
      for (const [name, given] of Object.entries(value)) {
        const field = ownMember(fields, name);
        if (field === undefined)
          return new WrongValue(`expected one of ${names.join(", ")}${nameHint(name, names)}`, [name]);
        const [wanted, fits] = field;
        if (given != null && !fits(given)) return new WrongValue(`expected ${wanted}`, [name]);
      }
      return Object.fromEntries(Object.entries(value).filter(([, given]) => given != null));
    },
  };
}
