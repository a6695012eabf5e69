import { randomUUID } from "node:crypto";
import { invalidRequest, notFound, shortened } from "../../contract/errors.ts";
import { type JsonObject, objectOf, withoutNulls } from "../../contract/json.ts";
import type { Changer } from "../../core/auth/records/change.ts";
import { checkModel } from "../../core/runtime/check-model.ts";
import type { EntryWriter } from "../../core/runtime/entry-writer.ts";
import type { ConfigEntry } from "../../platform/config/runtime/entry.ts";
import { maskSecrets, restoreSecrets } from "../../platform/store/secret-params.ts";

/** What a request changes in a model; `null` takes a member away. */
export interface ModelChanges {
  readonly modelName: string | undefined;
  readonly params: JsonObject;
  readonly info: JsonObject;
}

/** Makes, changes and removes models while the gateway runs. */
export class ModelService {
  readonly #writer: EntryWriter;

  constructor(writer: EntryWriter) {
    this.#writer = writer;
  }

  async create(
    changer: Changer,
    { model_name, litellm_params, model_info }: JsonObject,
  ): Promise<JsonObject> {
    const info = withoutNulls(objectOf(model_info));
    const id = typeof info.id === "string" ? info.id : randomUUID();
    const params = withoutNulls(objectOf(litellm_params));
    const body = { model_name, litellm_params: params, model_info: { ...info, id } };
    let warnings: readonly string[] = [];
    const entry = await this.#writer.put(changer, "model", id, (before) => {
      if (before !== undefined || this.#isOfFile(id))
        throw invalidRequest(`A model with the id ${shortened(id)} exists already`, "model_info.id");
      ({ warnings } = checkModel(this.#writer.runtime, body));
      return body;
    });
    return describe(entry, warnings);
  }

  async update(changer: Changer, id: string, changes: ModelChanges): Promise<JsonObject> {
    let warnings: readonly string[] = [];
    const entry = await this.#writer.put(changer, "model", id, (before) => {
      const { body } = this.#stored(id, before);
      const given = restoreSecrets(changes.params, objectOf(body.litellm_params));
      const next = {
        model_name: changes.modelName ?? body.model_name,
        litellm_params: withoutNulls({ ...objectOf(body.litellm_params), ...given }),
        model_info: { ...withoutNulls({ ...objectOf(body.model_info), ...changes.info }), id },
      };
      ({ warnings } = checkModel(this.#writer.runtime, next));
      return next;
    });
    return describe(entry, warnings);
  }

  async remove(changer: Changer, id: string): Promise<JsonObject> {
    await this.#writer.remove(changer, "model", id, (before) => void this.#stored(id, before));
    return { message: `Model: ${id} deleted successfully` };
  }

  /** @throws GatewayError 400 for a model of the file, 404 where there is none */
  #stored(id: string, entry: ConfigEntry | undefined): ConfigEntry {
    if (this.#isOfFile(id))
      throw invalidRequest(
        `The model ${shortened(id)} stands in the configuration file and can only be changed there`,
        "id",
      );
    if (entry === undefined) throw notFound(`Model with id=${shortened(id)} not found in db`);
    return entry;
  }

  #isOfFile(id: string): boolean {
    return this.#writer.runtime.base.deployments.some((deployment) => deployment.id === id);
  }
}

/** The id that a body's `model_info.id` or `id` gives. @throws GatewayError 400 without one, or with two */
export function namedId({ id, model_info: info }: JsonObject): string {
  const ids = new Set([id, objectOf(info).id].filter((each) => typeof each === "string" && each !== ""));
  if (ids.size > 1) throw invalidRequest("id and model_info.id name different models", "id");
  const [named] = ids;
  if (typeof named !== "string")
    throw invalidRequest("Missing required parameter: 'model_info.id'.", "model_info.id");
  return named;
}

function describe({ name, body, ...entry }: ConfigEntry, warnings: readonly string[]): JsonObject {
  return {
    model_id: name,
    model_name: body.model_name,
    litellm_params: maskSecrets(objectOf(body.litellm_params)),
    model_info: { ...maskSecrets(objectOf(body.model_info)), db_model: true },
    created_at: new Date(entry.createdAt).toISOString(),
    created_by: entry.createdBy,
    updated_at: new Date(entry.updatedAt).toISOString(),
    updated_by: entry.updatedBy,
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}
