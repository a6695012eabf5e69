import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@hey-api/openapi-ts";

/** What an operation of the generated client takes. */
interface GeneratedCall {
  readonly client: GeneratedServer;
  readonly url?: string;
  readonly method?: string;
  readonly security?: readonly object[];
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

type Operation = (call: GeneratedCall) => Promise<{ response: Response; error?: unknown }>;

/** The client of one server. */
interface GeneratedServer {
  /** Calls any address there. */
  readonly request: (call: GeneratedCall) => ReturnType<Operation>;
}

/** The client as it was generated: a function for each operation, and what makes the client of one server. */
export interface GeneratedClient {
  readonly operations: Readonly<Record<string, Operation>>;
  createClient(settings: object): GeneratedServer;
  remove(): void;
}

/** Generates a client from a description by Hey API's generator, and loads it. */
export async function generateClient(description: string): Promise<GeneratedClient> {
  // Below the sources, so that what runs the tests also runs what was generated.
  const folder = mkdtempSync(join(import.meta.dirname, "made-"));
  writeFileSync(join(folder, "openapi.json"), description);
  await createClient({
    input: join(folder, "openapi.json"),
    output: { path: join(folder, "client") },
    plugins: ["@hey-api/client-fetch", "@hey-api/sdk", "@hey-api/typescript"],
    logs: { level: "silent" },
  });
  const operations = await import(join(folder, "client/sdk.gen.ts"));
  const { createClient: clientOf } = await import(join(folder, "client/client/index.ts"));
  return {
    operations,
    createClient: clientOf,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
