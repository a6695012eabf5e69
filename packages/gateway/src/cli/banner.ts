import { VERSION } from "../util/version.ts";
import type { RunningGateway } from "./start-gateway.ts";

/**
 * What the terminal shows when the gateway is ready. A key that was just generated is shown this once; otherwise the
 * call to try refers to it without printing it.
 */
export function banner(gateway: RunningGateway, dataDirectory: string): string {
  const lines = [`Portico ${VERSION} is ready on ${gateway.url}`];
  if (gateway.simulatorUrl !== undefined)
    lines.push(
      "No configuration was given (--config FILE): the models of openai, azure, anthropic and google are simulated.",
    );
  if (gateway.isNewKey)
    lines.push(`A master key was generated and is kept in ${dataDirectory}/master-key: ${gateway.masterKey}`);
  const key = gateway.isNewKey ? gateway.masterKey : "<YOUR KEY>";
  const model = gateway.simulatorUrl === undefined ? "<YOUR MODEL>" : "claude-sonnet-4-5";
  lines.push(
    "Try it:",
    `  curl ${gateway.url}/v1/messages -H 'authorization: Bearer ${key}' -H 'content-type: application/json' \\`,
    `    -d '{"model":"${model}","max_tokens":100,"messages":[{"role":"user","content":"Hello"}]}'`,
    "",
  );
  return lines.join("\n");
}
