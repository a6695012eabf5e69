import type { Deployment } from "../../contract/deployment.ts";
import { GatewayError, invalidRequest, notFound, shortened } from "../../contract/errors.ts";
import { type JsonObject, textsOf } from "../../contract/json.ts";
import type { Changer } from "../../core/auth/records/change.ts";
import type { EntryWriter } from "../../core/runtime/entry-writer.ts";

/** Groups of models: those that models name themselves, and those that are made while the gateway runs. */
export class AccessGroupService {
  readonly #writer: EntryWriter;

  constructor(writer: EntryWriter) {
    this.#writer = writer;
  }

  list(): JsonObject[] {
    const names = new Set([
      ...this.#deployments.flatMap(groupsOf),
      ...this.#writer.runtime.all("access_group").map(({ name }) => name),
    ]);
    return [...names].sort().map((name) => this.#describe(name));
  }

  show(name: string): JsonObject {
    if (this.#writer.runtime.find("access_group", name) === undefined && this.#members(name).length === 0)
      throw missing(name);
    return this.#describe(name);
  }

  async create(changer: Changer, name: string, body: JsonObject): Promise<JsonObject> {
    await this.#writer.put(changer, "access_group", name, (before) => {
      if (before !== undefined || this.#members(name).length > 0)
        throw new GatewayError(
          409,
          "invalid_request_error",
          `Access group '${shortened(name)}' exists already`,
          {
            param: "access_group",
          },
        );
      return this.#checked(body);
    });
    return this.#written(name, body);
  }

  async update(changer: Changer, name: string, body: JsonObject): Promise<JsonObject> {
    await this.#writer.put(changer, "access_group", name, (before) => {
      if (before === undefined) throw this.#notStored(name);
      return this.#checked(body);
    });
    return this.#written(name, body);
  }

  async remove(changer: Changer, name: string): Promise<JsonObject> {
    const before = this.#members(name).length;
    await this.#writer.remove(changer, "access_group", name, (entry) => {
      if (entry === undefined) throw this.#notStored(name);
    });
    const message = `Access group '${name}' deleted successfully`;
    return { access_group: name, models_updated: before - this.#members(name).length, message };
  }

  get #deployments(): readonly Deployment[] {
    return this.#writer.runtime.current.deployments;
  }

  #members(name: string): readonly Deployment[] {
    return this.#deployments.filter((deployment) => groupsOf(deployment).includes(name));
  }

  #describe(name: string): JsonObject {
    const members = this.#members(name);
    const model_names = [...new Set(members.map(({ modelName }) => modelName))];
    return { access_group: name, model_names, deployment_count: members.length };
  }

  #written(name: string, { model_names, model_ids }: JsonObject): JsonObject {
    return {
      access_group: name,
      model_names: model_names ?? null,
      model_ids: model_ids ?? null,
      models_updated: this.#members(name).length,
    };
  }

  /** @throws GatewayError 400 for models that do not exist, or for none */
  #checked({ model_names, model_ids }: JsonObject): JsonObject {
    const names = (model_names ?? []) as string[];
    const ids = (model_ids ?? []) as string[];
    if (names.length + ids.length === 0)
      throw invalidRequest("Either model_names or model_ids must be given and not empty", "model_names");
    const knownNames = new Set(this.#deployments.map(({ modelName }) => modelName));
    const knownIds = new Set(this.#deployments.map(({ id }) => id));
    const unknownName = names.find((name) => !knownNames.has(name));
    if (unknownName !== undefined)
      throw invalidRequest(`Model(s) not found: ${shortened(unknownName)}`, "model_names");
    const unknownId = ids.find((id) => !knownIds.has(id));
    if (unknownId !== undefined)
      throw invalidRequest(`Model(s) not found: ${shortened(unknownId)}`, "model_ids");
    return { model_names: names, model_ids: ids };
  }

  /** @returns 400 for a group that models name themselves, else 404 */
  #notStored(name: string): GatewayError {
    if (this.#members(name).length === 0) return missing(name);
    const text = `Access group '${shortened(name)}' stands in model_info.access_groups of its models; change it there`;
    return invalidRequest(text, "access_group");
  }
}

function groupsOf({ info }: Deployment): readonly string[] {
  return textsOf(info.access_groups);
}

function missing(name: string): GatewayError {
  return notFound(`Access group '${shortened(name)}' not found`);
}
