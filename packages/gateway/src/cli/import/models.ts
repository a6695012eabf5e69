import { GatewayError } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import { checkModel } from "../../core/runtime/check-model.ts";
import type { EntryWriter } from "../../core/runtime/entry-writer.ts";
import type { ConfigEntry } from "../../platform/config/runtime/entry.ts";
import type { ConfigEntryKind } from "../../platform/config/runtime/table.ts";
import { type ImportRun, openStep, type Step, takeRows } from "./import-run.ts";
import type { Item } from "./target.ts";
import { objectIn, present, textIn, textsIn } from "./values.ts";

/** What is configured at run time has a writer of its own, which encrypts it with this gateway's key. */
export interface ModelRun extends ImportRun {
  readonly writer: EntryWriter;
  /** Values of credentials by their names, which models may refer to before they are here. */
  readonly credentials: Map<string, JsonObject>;
}

/** Takes over credentials: decrypted with LiteLLM's key, encrypted with ours. */
export async function importCredentials(run: ModelRun): Promise<void> {
  const step = openStep(run, "credential", "LiteLLM_CredentialsTable", "credentials");
  if (step === undefined) return;
  await takeEntries(run, step, (row) => {
    const name = textIn(row, "credential_name") ?? "";
    return {
      id: name,
      row,
      body: () => {
        const credential_values = opened(run, objectIn(row, "credential_values"));
        run.credentials.set(name, credential_values);
        return { credential_values, credential_info: objectIn(row, "credential_info") };
      },
    };
  });
}

/** Takes over models that were made at run time. */
export async function importModels(run: ModelRun): Promise<void> {
  const step = openStep(run, "model", "LiteLLM_ProxyModelTable", "models");
  if (step === undefined) return;
  await takeEntries(run, step, (row) => {
    const id = textIn(row, "model_id") ?? "";
    return { id, row, body: () => modelOf(run, step, id, row) };
  });
}

/** Takes over groups of models. @returns their names by LiteLLM's ids */
export async function importGroups(run: ModelRun): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const step = openStep(run, "access_group", "LiteLLM_AccessGroupTable", "access groups");
  if (step === undefined) return names;
  await takeEntries(run, step, (row) => {
    const name = textIn(row, "access_group_name") ?? "";
    const models = textsIn(row, "access_model_names");
    if (models.length > 0) names.set(textIn(row, "access_group_id") ?? "", name);
    return {
      id: name,
      row: { name, models },
      body: () => {
        if (models.length === 0) throw new NotTaken("it has no models");
        return { model_names: models, model_ids: [] };
      },
    };
  });
  return names;
}

/** Why something is not taken. */
class NotTaken extends Error {}

function modelOf(run: ModelRun, step: Step, id: string, row: JsonObject): JsonObject {
  const info = objectIn(row, "model_info");
  if (row.blocked === true) throw new NotTaken("it is blocked there");
  if (info.team_id != null)
    throw new NotTaken("it is for one team alone: make it here and name it in the models of the team");
  const params = opened(run, objectIn(row, "litellm_params"));
  const { db_model: _, ...described } = info;
  const body = {
    model_name: row.model_name,
    litellm_params: present(params),
    model_info: { ...present(described), id },
  };
  if (run.writer.runtime.base.deployments.some((deployment) => deployment.id === id))
    throw new NotTaken("the configuration file has a model with this id");
  const credentials = new Map([...run.credentials, ...run.writer.runtime.surroundings.credentials]);
  const { warnings } = checkModel(run.writer.runtime, body, credentials);
  for (const warning of warnings) step.report.note(id, warning.replace(/\.$/, ""));
  return body;
}

function opened({ secrets }: ImportRun, stored: JsonObject): JsonObject {
  const members = secrets.openMembers(stored);
  if (!Array.isArray(members)) return members as JsonObject;
  const names = members.join(", ");
  throw new NotTaken(
    `${names} cannot be decrypted: set LITELLM_SALT_KEY (or LITELLM_MASTER_KEY, where there is no salt key) to what LiteLLM runs with`,
  );
}

interface Entry {
  readonly id: string;
  /** What a change of is a change of the entry; secrets in it are still encrypted. */
  readonly row: JsonObject;
  /** @throws NotTaken, GatewayError */
  body(): JsonObject;
}

async function takeEntries(run: ModelRun, step: Step, entryOf: (row: JsonObject) => Entry): Promise<void> {
  const { writer } = run;
  const kind = step.name as ConfigEntryKind;
  await takeRows(step, async (rows) =>
    rows.map((row): Item | undefined => {
      const { id, row: source, body } = entryOf(row);
      const here = writer.runtime.find(kind, id);
      try {
        const wanted = body();
        const { created_at: _, updated_at: __, updated_by: ___, ...lasting } = source;
        return {
          id,
          body: lasting,
          spent: 0,
          spentInWindow: 0,
          here: here && markIn(here),
          owner: undefined,
          write: async (under) => ({ mark: markIn(await writer.putWithin(under, kind, id, () => wanted)) }),
        };
      } catch (error) {
        if (!(error instanceof NotTaken) && !(error instanceof GatewayError)) throw error;
        run.target.leave(step, id, error.message);
        return undefined;
      }
    }),
  );
  await writer.runtime.refresh();
}

function markIn({ revision }: ConfigEntry): string {
  return revision;
}
