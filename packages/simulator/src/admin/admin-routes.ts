import { behaviourFrom } from "../faults/behaviour.ts";
import type { FaultRule } from "../faults/rules.ts";
import { ApiFailure } from "../http/api-failure.ts";
import type { Settings } from "../state/settings.ts";
import type { SimulatorState } from "../state/simulator-state.ts";
import { type JsonObject, stringOf } from "../util/json.ts";

/** What an admin request is answered with. */
export interface AdminAnswer {
  readonly status: number;
  readonly body: unknown;
}

type AdminHandler = (state: SimulatorState, body: JsonObject, query: URLSearchParams) => AdminAnswer;

const handlers: Readonly<Record<string, AdminHandler>> = {
  "POST /_admin/faults": addFault,
  "GET /_admin/faults": (state) =>
    ok({ rules: state.rules.list().map((rule) => ({ ...rule, remaining: finite(rule.remaining) })) }),
  "DELETE /_admin/faults": (state) => {
    state.rules.clear();
    return ok({ deleted: true });
  },
  "GET /_admin/requests": listRequests,
  "DELETE /_admin/requests": (state) => {
    state.journal.clear();
    return ok({ deleted: true });
  },
  "GET /_admin/counters": (state) => ok(state.counters.snapshot()),
  "GET /_admin/settings": (state) => ok(settingsBody(state)),
  "POST /_admin/settings": changeSettings,
};

/** Answers a request below `/_admin`, or gives undefined where there is nothing. */
export function answerAdmin(
  state: SimulatorState,
  method: string,
  path: string,
  query: URLSearchParams,
  body: JsonObject,
): AdminAnswer | undefined {
  return handlers[`${method} ${path}`]?.(state, body, query);
}

/** Reads a fault rule from loosely typed settings. Throws `ApiFailure` 400 for one that does nothing. */
export function faultRule(settings: JsonObject): FaultRule {
  const behaviour = behaviourFrom(settings);
  if (settings.fault !== undefined && behaviour.fault === undefined) {
    throw new ApiFailure(
      400,
      `fault ${JSON.stringify(settings.fault)} is unknown; see the README's table of faults`,
    );
  }
  if (Object.keys(behaviour).length === 0) {
    throw new ApiFailure(
      400,
      "give at least one of fault, latencyMs, ttftMs, chunkDelayMs, chunkBytes, tokens",
    );
  }
  const { times } = settings;
  if (times !== undefined && times !== "forever" && !(typeof times === "number" && times >= 1)) {
    throw new ApiFailure(400, 'times must be a number from 1 or "forever"');
  }
  const method = stringOf(settings.method)?.toUpperCase();
  const path = stringOf(settings.path);
  const model = stringOf(settings.model);
  return {
    ...behaviour,
    ...(method === undefined ? {} : { method }),
    ...(path === undefined ? {} : { path }),
    ...(model === undefined ? {} : { model }),
    ...(times === undefined ? {} : { times }),
  };
}

function addFault(state: SimulatorState, body: JsonObject): AdminAnswer {
  state.rules.add(faultRule(body));
  return ok({ rules: state.rules.list().length });
}

function listRequests(state: SimulatorState, _body: JsonObject, query: URLSearchParams): AdminAnswer {
  const since = query.get("since");
  const path = query.get("path") ?? undefined;
  return ok({ requests: state.journal.list({ path, since: since === null ? undefined : Number(since) }) });
}

function changeSettings(state: SimulatorState, body: JsonObject): AdminAnswer {
  for (const [name, value] of Object.entries(body)) {
    if (name === "journal" && typeof value === "boolean") state.journal.enabled = value;
    else if (name === "placeholders" && typeof value === "boolean") state.placeholders = value;
    else if (isSetting(state.settings, name) && typeof value === "number" && value >= 0)
      state.settings[name] = value;
    else throw new ApiFailure(400, `setting ${name} is unknown or its value is not a number from 0`);
  }
  return ok(settingsBody(state));
}

function settingsBody(state: SimulatorState) {
  return { journal: state.journal.enabled, placeholders: state.placeholders, ...state.settings };
}

function isSetting(settings: Settings, name: string): name is keyof Settings {
  return Object.hasOwn(settings, name);
}

function finite(count: number): number | "forever" {
  return Number.isFinite(count) ? count : "forever";
}

function ok(body: unknown): AdminAnswer {
  return { status: 200, body };
}
