import { expect } from "vitest";
import { rawRequest } from "../../support/raw-request.ts";
import type { Operation } from "../operations.ts";
import { addressOf, ask, examples, type Ids } from "../requests.ts";
import { keys, type Stage } from "../stage.ts";
import type { Column, Exemption } from "./column.ts";
import { litellmSpellings, spellings } from "./spellings.ts";

const noId: Exemption = {
  why: "has no id in its path or its body",
  check: (_stage, operation) => {
    expect([...placesOf(operation.path), ...fieldsOf(operation)]).toEqual([]);
  },
};

/** Ids by which the gateway finds nothing but what it keeps itself; any text may be one. */
const ownNames = /\{(?:agent|agent_id|key|model|model_id|credential_name|access_group|audit_id|id)\}/;

export const ids: Column = {
  name: "ids",
  about:
    "an id that is empty, a step of a path (`.`, `..`), encoded once or more, with a slash, a backslash or a control character, ours or in LiteLLM's forms, is refused, and no provider is asked",
  exempt: (operation) =>
    placesOf(operation.path).length + fieldsOf(operation).length > 0 ? undefined : noId,
  holds: async (stage, operation, form) => {
    const wrong: string[] = [];
    for (const place of placesOf(form)) wrong.push(...(await wrongInPath(stage, operation, form, place)));
    // An empty member says nothing, so it names nothing.
    for (const field of fieldsOf(operation))
      for (const value of [...spellings, ...litellmSpellings].filter((spelling) => spelling !== ""))
        wrong.push(...(await wrongInBody(stage, operation, form, field, decoded(value))));
    expect(wrong).toEqual([]);
  },
};

async function wrongInPath(
  stage: Stage,
  operation: Operation,
  form: string,
  place: string,
): Promise<string[]> {
  const { gateway } = stage;
  // Files in containers have the provider's ids, which say nothing.
  const isOpaque = /containers.*files\/$/.test(form.slice(0, form.indexOf(place)));
  const isOwn = ownNames.test(place);
  const body = operation.method === "GET" || operation.method === "DELETE" ? undefined : "{}";
  const wrong: string[] = [];
  for (const spelling of isOpaque || isOwn ? spellings : [...spellings, ...litellmSpellings])
    for (const query of ["", "?limit=10"]) {
      const address = addressOf(operation, form.replace(place, spelling), anyIds) + query;
      stage.forget();
      const key =
        operation.access === "admin" || examples[operation.id]!.byAdmin ? gateway.masterKey : keys.alice;
      const { status } = await rawRequest(gateway.url, operation.method, address, key, body);
      // A list's own address may come out of an id that is empty or the last in the path.
      const isRefused = [400, 404, 405].includes(status);
      if (!(isRefused || (isOwn && status === 200)) || stage.asked().length > 0)
        wrong.push(`${operation.method} ${address}: ${status}, asked ${stage.asked()}`);
    }
  return wrong;
}

async function wrongInBody(
  stage: Stage,
  operation: Operation,
  form: string,
  field: string,
  value: string,
): Promise<string[]> {
  const { needs, body } = examples[operation.id]!;
  const ids = needs === undefined ? {} : await onceMade(stage, needs);
  const isList = field.endsWith("s");
  const { status } = await ask(stage, operation, {
    form,
    ids,
    body: { ...body?.(ids), [field]: isList ? [value] : value },
  });
  const isRefused = status >= 400 && status < 500;
  return isRefused && stage.asked().length === 0
    ? []
    : [`${operation.method} ${form} ${field} ${JSON.stringify(value)}: ${status}, asked ${stage.asked()}`];
}

const made = new WeakMap<Stage, Map<string, Promise<Ids>>>();

/** What an operation needs, the same for all spellings. */
function onceMade(stage: Stage, needs: NonNullable<(typeof examples)[string]["needs"]>): Promise<Ids> {
  const known = made.get(stage) ?? new Map<string, Promise<Ids>>();
  made.set(stage, known);
  const one = known.get(needs) ?? stage.make(needs);
  known.set(needs, one);
  return one;
}

const anyIds = new Proxy({}, { get: (_target, name) => (name === "helper" ? undefined : "id_1") }) as Ids;

/** The parameters of a path that name something; projects and publishers are the deployment's own. */
function placesOf(path: string): readonly string[] {
  return path.match(/\{(?!provider|project|location|publisher)[^}]+\}/g) ?? [];
}

/** Members of a body that hold ids of what somebody has made. */
const idFields =
  /^(?:input_file_id|file_id|file_ids|previous_response_id|conversation|container|agent_ids|key|keys)$/;

function fieldsOf({ json, ids: inPath }: Operation): readonly string[] {
  // What the path names already, a body cannot name otherwise.
  return Object.keys(json?.properties ?? {}).filter((name) => idFields.test(name) && !inPath.includes(name));
}

function decoded(spelling: string): string {
  return decodeURIComponent(spelling);
}
