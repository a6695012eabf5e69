import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject, type JsonObject } from "../contract/json.ts";
import { SetupError } from "../contract/setup-error.ts";
import { UsageError } from "./explain-error.ts";
import { dataDirectory } from "./serve-options.ts";

/** The flags of commands that talk to a running gateway. */
export const gatewayFlags = {
  url: { value: "URL", doc: "the gateway (http://127.0.0.1:4000)" },
  key: { value: "KEY", doc: "the gateway key (PORTICO_API_KEY, else the master key in the data directory)" },
  "data-dir": { value: "DIR", doc: "where the master key is kept (PORTICO_DATA_DIR; ./portico-data)" },
} as const;

/** A running gateway, as a command talks to it. */
export class GatewayClient {
  readonly url: string;
  readonly #key: string;

  /** @throws UsageError when there is no key: neither given, nor the environment's, nor one that a gateway made here */
  constructor(values: { readonly [Name in keyof typeof gatewayFlags]?: string }) {
    this.url = (values.url ?? "http://127.0.0.1:4000").replace(/\/+$/, "");
    this.#key = keyOf(values.key, values["data-dir"]);
  }

  /** @throws UsageError when nobody answers; SetupError with what the gateway refused the call for */
  async send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${this.#key}` };
    const response = await fetch(this.url + path, { ...init, headers }).catch(() => {
      throw new UsageError(`there is no gateway at ${this.url}; --url names another`);
    });
    if (response.ok) return response;
    const body: unknown = await response.json().catch(() => undefined);
    const error =
      isJsonObject(body) && isJsonObject(body.error) ? String(body.error.message) : "no reason given";
    const next =
      response.status === 401
        ? "; name a key that it knows with --key or in the environment variable PORTICO_API_KEY"
        : "";
    throw new SetupError(
      `the gateway answered with status ${response.status}: ${error.replace(/\.$/, "")}${next}`,
    );
  }

  /** The same for answers of JSON. */
  async json(path: string, init: RequestInit = {}): Promise<JsonObject> {
    return (await (await this.send(path, init)).json()) as JsonObject;
  }
}

function keyOf(key: string | undefined, folder: string | undefined): string {
  const given = key ?? process.env.PORTICO_API_KEY;
  if (given !== undefined && given !== "") return given;
  const file = join(dataDirectory(folder, process.env), "master-key");
  if (existsSync(file)) return readFileSync(file, "utf8").trim();
  throw new UsageError(
    `a key is needed: --key, the environment variable PORTICO_API_KEY, or --data-dir with the folder of a gateway that made its master key (${file} is not there)`,
  );
}
