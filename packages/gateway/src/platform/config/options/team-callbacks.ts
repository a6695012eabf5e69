import { isJsonObject, type JsonObject, objectOf } from "../../../contract/json.ts";
import type { OwnCallback } from "../../../contract/own-callback.ts";
import { type Option, WrongValue } from "./option.ts";
import { ownTarget, ownVarsOf, traceDestinations } from "./otlp-targets.ts";

/** Where the spans of one team's calls go by the configuration. */
export interface TeamCallbacks {
  readonly teamId: string;
  readonly callbacks: readonly OwnCallback[];
}

/** One name among a team's callbacks, and what it comes to. */
interface NamedCallback {
  readonly list: "success_callback" | "failure_callback";
  readonly name: string;
  /** Absent with a fault. */
  readonly callback?: OwnCallback;
  /** Why no span goes there. */
  readonly fault?: string;
}

const SHAPE = "a list of {team_id, success_callback, failure_callback} with the variables of these callbacks";
const LISTS = ["success_callback", "failure_callback"] as const;

/** LiteLLM's `default_team_settings`: callbacks of teams that have been given none. */
export function teamCallbacks(doc: string): Option<readonly TeamCallbacks[]> {
  return { shape: SHAPE, initial: [], doc, read: readTeams };
}

function readTeams(value: unknown): readonly TeamCallbacks[] | WrongValue {
  if (!Array.isArray(value)) return new WrongValue(`expected ${SHAPE}`);
  const teams: TeamCallbacks[] = [];
  for (const [index, entry] of value.entries()) {
    if (!isJsonObject(entry)) return new WrongValue("expected a map with team_id", [index]);
    const { team_id: teamId } = entry;
    if (typeof teamId !== "string" || teamId === "")
      return new WrongValue("expected the id of a team", [index, "team_id"]);
    if (teams.some((team) => team.teamId === teamId))
      return new WrongValue(`expected each team once, and ${teamId} stands twice`, [index, "team_id"]);
    const wrong = LISTS.find((list) => entry[list] != null && namesIn(entry[list]) === undefined);
    if (wrong !== undefined) return new WrongValue("expected a list of names", [index, wrong]);
    const callbacks = callbacksOf(entry).flatMap(({ callback }) => callback ?? []);
    teams.push({ teamId, callbacks });
  }
  return teams;
}

/** The callbacks that an entry names, each with what it comes to. */
export function callbacksOf(entry: JsonObject): readonly NamedCallback[] {
  return LISTS.flatMap((list) =>
    (namesIn(entry[list]) ?? []).map((name) => {
      if (!traceDestinations.includes(name)) return { list, name, fault: "is no destination of spans" };
      const vars = Object.entries(varsOf(entry)).filter(([each]) => ownVarsOf(name).includes(each));
      const texts = Object.fromEntries(vars.map(([each, value]) => [each, String(value)]));
      try {
        ownTarget(name, texts);
      } catch (error) {
        return { list, name, fault: (error as Error).message };
      }
      const type = list === "success_callback" ? "success" : "failure";
      const callback: OwnCallback = {
        callback_name: name,
        callback_type: type,
        callback_vars: texts,
        isOperators: true,
      };
      return { list, name, callback };
    }),
  );
}

/** The variables of an entry, beside its lists or in a map of their own. */
export function varsOf(entry: JsonObject): JsonObject {
  const { team_id: _id, success_callback: _success, failure_callback: _failure, ...rest } = entry;
  return rest.callback_vars == null ? rest : objectOf(rest.callback_vars);
}

function namesIn(value: unknown): readonly string[] | undefined {
  const isList = Array.isArray(value) && value.every((name) => typeof name === "string");
  return isList ? (value as string[]) : undefined;
}
