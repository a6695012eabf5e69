import { join } from "node:path";
import { VERSION } from "../util/version.ts";
import type { RunningGateway } from "./start-gateway.ts";

/**
 * What the terminal shows when the gateway is ready.
 * @param onTerminal whether a person reads it: a key that was just generated is shown once, and to nobody else, since
 *   what goes to a file or a pipe ends in logs
 */
export function banner(gateway: RunningGateway, dataDirectory: string, onTerminal: boolean): string {
  const file = join(dataDirectory, "master-key");
  const lines = [`Portico ${VERSION} is ready on ${gateway.url} (${listening(gateway.host)})`];
  if (gateway.simulatorUrl !== undefined)
    lines.push(
      "No configuration was given (--config FILE): the models of openai, azure, anthropic and google are simulated.",
    );
  if (gateway.keySource !== "configured") lines.push(keyLine(gateway, file, onTerminal));
  const key = gateway.keySource === "configured" ? "<YOUR MASTER KEY>" : `$(cat ${shellWord(file)})`;
  const model = gateway.simulatorUrl === undefined ? gateway.firstModel : "claude-sonnet-4-5";
  if (model === undefined) lines.push("The configuration has no models: add entries to model_list.");
  else
    lines.push(
      "Try it:",
      `  curl ${gateway.url}/v1/messages -H "authorization: Bearer ${key}" -H 'content-type: application/json' \\`,
      `    -d '${JSON.stringify({ model, max_tokens: 100, messages: [{ role: "user", content: "Hello" }] }).replaceAll("'", "'\\''")}'`,
    );
  return `${lines.join("\n")}\n`;
}

function keyLine({ keySource, masterKey }: RunningGateway, file: string, onTerminal: boolean): string {
  if (keySource === "kept") return `The master key is kept in ${file}.`;
  const shown = onTerminal ? `: ${masterKey}` : ".";
  return `A master key was generated and is kept in ${file}${shown}`;
}

/** Who can reach the address. */
function listening(host: string): string {
  if (host === "0.0.0.0" || host === "::") return `listens on ${host}, every network of this machine`;
  if (host === "127.0.0.1" || host === "::1") return "listens on this machine only";
  return `listens on ${host}`;
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
