import { isJsonObject } from "../../../contract/json.ts";
import { type Option, WrongValue } from "./option.ts";

/** Who makes keys of one kind, and what has to be said of them. */
export interface MakingRule {
  /** Absent for everybody who may without it. */
  readonly roles?: readonly string[];
  readonly params: readonly string[];
}

/** LiteLLM's `StandardKeyGenerationConfig`. */
export interface KeyMakers {
  /** Of keys within a team: what the maker is there. */
  readonly team?: MakingRule;
  /** Of all others: the maker's own role. */
  readonly personal?: MakingRule;
}

/** By LiteLLM's names: the kind of keys, and the name of its list of roles. */
const KINDS = {
  team_key_generation: ["team", "allowed_team_member_roles"],
  personal_key_generation: ["personal", "allowed_user_roles"],
} as const;

const SHAPE =
  "a map of team_key_generation: {allowed_team_member_roles, required_params} and personal_key_generation: {allowed_user_roles, required_params}";

/** Who makes keys. */
export function keyMakers(doc: string): Option<KeyMakers> {
  return { shape: SHAPE, initial: {}, doc, read: readMakers };
}

function readMakers(value: unknown): KeyMakers | WrongValue {
  if (!isJsonObject(value)) return new WrongValue(`expected ${SHAPE}`);
  const makers: Record<string, MakingRule> = {};
  for (const [name, given] of Object.entries(value)) {
    if (given === null) continue;
    if (!Object.hasOwn(KINDS, name))
      return new WrongValue(`expected one of ${Object.keys(KINDS).join(", ")}`, [name]);
    const [kind, roles] = KINDS[name as keyof typeof KINDS];
    const rule = readRule(given, roles);
    if (rule instanceof WrongValue) return new WrongValue(rule.message, [name, ...rule.at]);
    makers[kind] = rule;
  }
  return makers;
}

function readRule(given: unknown, rolesName: string): MakingRule | WrongValue {
  if (!isJsonObject(given)) return new WrongValue(`expected a map of ${rolesName} and required_params`);
  const wrong = Object.keys(given).find((name) => name !== rolesName && name !== "required_params");
  if (wrong !== undefined) return new WrongValue(`expected ${rolesName} or required_params`, [wrong]);
  const lists = [rolesName, "required_params"].map((name) => {
    const list = given[name] ?? undefined;
    return list === undefined || isTexts(list) ? list : new WrongValue("expected a list of texts", [name]);
  });
  const [roles, params = []] = lists;
  if (roles instanceof WrongValue) return roles;
  if (params instanceof WrongValue) return params;
  return { ...(roles && { roles }), params };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}
