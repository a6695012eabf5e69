import { expect } from "vitest";
import { MASTER_KEY, startTestGateway, type TestGateway } from "./gateway.ts";
import { openDatabases } from "./shared-postgres.ts";

export type Json = Record<string, unknown>;
export type ScimAnswer = Json & { readonly code: number; readonly headers: Headers };

export const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

/** The body of a PATCH. */
export function patch(...Operations: object[]): object {
  return { schemas: [PATCH], Operations };
}

/** A gateway that an identity provider keeps users and groups in. */
export interface ScimGateway {
  readonly gateway: TestGateway;
  /** The identity provider's. */
  readonly key: string;
  /** Asks below `/scim/v2`. */
  scim(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<ScimAnswer>;
  find(path: string, filter: string): Promise<ScimAnswer>;
  /** The status of a model call with a key or a token. */
  calls(credential: string): Promise<number>;
  close(): Promise<void>;
}

/** @param settings further ones of `general_settings` */
export async function startScim(store: "SQLite" | "PostgreSQL", settings: object = {}): Promise<ScimGateway> {
  const postgres = store === "PostgreSQL" ? await openDatabases() : undefined;
  const general = {
    master_key: MASTER_KEY,
    enable_scim: true,
    ...settings,
    ...(postgres === undefined ? {} : { database_url: await postgres.createDatabase() }),
  };
  const model = "{model_name: m, litellm_params: {model: openai/m, api_key: k}}";
  const gateway = await startTestGateway({
    config: `model_list:\n  - ${model}\ngeneral_settings: ${JSON.stringify(general)}\n`,
  });
  const made = await gateway.call("/key/generate", {
    body: { user_role: "proxy_admin", allowed_routes: ["/scim/*"], key_alias: "scim" },
  });
  const { key } = (await made.json()) as { key: string };
  const scim: ScimGateway["scim"] = async (method, path, body, headers = {}) => {
    const init = { method, key, headers, ...(body === undefined ? {} : { body }) };
    const response = await gateway.call(`/scim/v2${path}`, init);
    const text = await response.text();
    if (text !== "") expect(response.headers.get("content-type")).toBe("application/scim+json");
    const answer = text === "" ? {} : (JSON.parse(text) as Json);
    return { ...answer, code: response.status, headers: response.headers };
  };
  return {
    gateway,
    key,
    scim,
    find: (path, filter) => scim("GET", `${path}?filter=${encodeURIComponent(filter)}`),
    calls: async (credential) => {
      const messages = [{ role: "user", content: "hi" }];
      const body = { model: "m", messages, mock_response: "x" };
      return (await gateway.call("/v1/chat/completions", { key: credential, body })).status;
    },
    close: async () => {
      await gateway.close();
      await postgres?.stop();
    },
  };
}
