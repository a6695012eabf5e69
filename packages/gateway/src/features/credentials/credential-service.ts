import type { Deployment } from "../../contract/deployment.ts";
import { invalidRequest, notFound, shortened } from "../../contract/errors.ts";
import { defined, type JsonObject, objectOf, withoutNulls } from "../../contract/json.ts";
import type { Changer } from "../../core/auth/records/change.ts";
import { checkModel } from "../../core/runtime/check-model.ts";
import type { EntryWriter } from "../../core/runtime/entry-writer.ts";
import type { ConfigEntry } from "../../platform/config/runtime/entry.ts";
import { mergeCredentials } from "../../platform/config/runtime/merge.ts";
import { maskCredential, maskSecrets, restoreCredential } from "../../platform/store/secret-params.ts";

/** What of a deployment's further parameters belongs to its credentials. */
const CREDENTIAL_PARAM = /^(?:aws|vertex|azure|watsonx)_|^(?:tenant_id|client_id|client_secret)$/;

/** Credentials: those of the file, and those that are made while the gateway runs. */
export class CredentialService {
  readonly #writer: EntryWriter;

  constructor(writer: EntryWriter) {
    this.#writer = writer;
  }

  list(): JsonObject[] {
    const { base } = this.#writer.runtime;
    const ofFile = [...base.credentials].map(([name, values]) => described(name, values, {}));
    const stored = this.#writer.runtime
      .all("credential")
      .filter(({ name }) => !base.credentials.has(name))
      .map(describe);
    return [...ofFile, ...stored];
  }

  byName(name: string): JsonObject {
    const ofFile = this.#writer.runtime.base.credentials.get(name);
    if (ofFile !== undefined) return described(name, ofFile, {});
    return describe(found(name, this.#writer.runtime.find("credential", name)));
  }

  byModel(id: string): JsonObject {
    return described(id, valuesOf(this.#deployment(id)), {});
  }

  async create(changer: Changer, body: JsonObject): Promise<void> {
    const name = String(body.credential_name);
    const { model_id: model } = body;
    const copied = typeof model === "string" ? valuesOf(this.#deployment(model)) : {};
    const values = withoutNulls({ ...copied, ...objectOf(body.credential_values) });
    if (Object.keys(values).length === 0)
      throw invalidRequest("credential_values: expected values, or a model_id", "credential_values");
    const next = { credential_values: values, credential_info: objectOf(body.credential_info) };
    await this.#writer.put(changer, "credential", name, (before) => {
      if (before !== undefined || this.#isOfFile(name))
        throw invalidRequest(
          `A credential with the name ${shortened(name)} exists already`,
          "credential_name",
        );
      return next;
    });
  }

  async update(changer: Changer, name: string, body: JsonObject): Promise<void> {
    const { credential_name: given, credential_values_to_delete: removed } = body;
    if (typeof given === "string" && given !== name)
      throw invalidRequest("credential_name: a credential keeps its name", "credential_name");
    const taken = (Array.isArray(removed) ? removed : []).map((member) => [String(member), null] as const);
    await this.#writer.put(changer, "credential", name, (before) => {
      const { body: old } = this.#stored(name, before);
      const values = objectOf(old.credential_values);
      const changed = restoreCredential(objectOf(body.credential_values), values);
      const next = {
        credential_values: withoutNulls({ ...values, ...changed, ...Object.fromEntries(taken) }),
        credential_info: withoutNulls({
          ...objectOf(old.credential_info),
          ...objectOf(body.credential_info),
        }),
      };
      this.#checkUsers(name, next, before!);
      return next;
    });
  }

  async remove(changer: Changer, name: string): Promise<void> {
    await this.#writer.remove(changer, "credential", name, (before) => {
      this.#stored(name, before);
      const users = this.#users(name).map((entry) => entry.name);
      if (users.length === 0) return;
      const text = `The credential ${shortened(name)} is used by the models ${users.slice(0, 10).join(", ")}`;
      throw invalidRequest(text, "credential_name");
    });
  }

  /** @throws GatewayError 400 when a model could not be called any more */
  #checkUsers(name: string, next: JsonObject, before: ConfigEntry): void {
    const { runtime } = this.#writer;
    const others = runtime.all("credential").filter((entry) => entry.name !== name);
    const credentials = mergeCredentials(runtime.base, [...others, { ...before, body: next }]);
    for (const { body } of this.#users(name)) checkModel(runtime, body, credentials);
  }

  #users(name: string): readonly ConfigEntry[] {
    const models = this.#writer.runtime.all("model");
    return models.filter(({ body }) => objectOf(body.litellm_params).litellm_credential_name === name);
  }

  /** @throws GatewayError 400 for a credential of the file, 404 where there is none */
  #stored(name: string, entry: ConfigEntry | undefined): ConfigEntry {
    if (this.#isOfFile(name))
      throw invalidRequest(
        `The credential ${shortened(name)} stands in the configuration file and can only be changed there`,
        "credential_name",
      );
    return found(name, entry);
  }

  #isOfFile(name: string): boolean {
    return this.#writer.runtime.base.credentials.has(name);
  }

  #deployment(id: string): Deployment {
    const deployment = this.#writer.runtime.current.deployments.find((each) => each.id === id);
    if (deployment === undefined) throw notFound(`The deployment ${shortened(id)} does not exist`);
    return deployment;
  }
}

function valuesOf({ apiKey, apiBase, apiVersion, region, params }: Deployment): JsonObject {
  const further = Object.entries(params).filter(([name]) => CREDENTIAL_PARAM.test(name));
  return {
    ...defined({ api_key: apiKey, api_base: apiBase, api_version: apiVersion, region_name: region }),
    ...Object.fromEntries(further),
  };
}

function found(name: string, entry: ConfigEntry | undefined): ConfigEntry {
  if (entry === undefined) throw notFound(`Credential not found: ${shortened(name)}`);
  return entry;
}

function describe({ name, body }: ConfigEntry): JsonObject {
  return described(name, objectOf(body.credential_values), objectOf(body.credential_info));
}

function described(credential_name: string, values: JsonObject, info: JsonObject): JsonObject {
  return { credential_name, credential_values: maskCredential(values), credential_info: maskSecrets(info) };
}
