// The Python samples of the pages about Portico, run with the newest SDKs from PyPI against a gateway in front of simulated
// providers; samples.test.ts only reads them as Python does. Ends with 1 where one of them fails.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSimulator } from "portico-simulator";
import { installNewest } from "../sdk-clients/install.ts";
import { MASTER_KEY, startTestGateway } from "../support/gateway.ts";
import { samples } from "../support/samples.ts";

const sdks = await installNewest({ registry: "pypi", names: ["openai", "anthropic", "google-genai"] });
const simulator = await startSimulator();
const gateway = await startTestGateway({
  config: `
model_list:
  - {model_name: claude, litellm_params: {model: anthropic/claude-sonnet-4, api_key: k, api_base: "${simulator.url}/anthropic"}}
  - {model_name: films, litellm_params: {model: openai/sora-2, api_key: k, api_base: "${simulator.url}/openai/v1"}}
general_settings: {master_key: ${MASTER_KEY}}
`,
});
const folder = mkdtempSync(join(tmpdir(), "portico-samples-"));
try {
  const body = { model: "claude", max_tokens: 9, messages: [{ role: "user", content: "hi" }] };
  const row = { custom_id: "one", method: "POST", url: "/v1/chat/completions", body };
  writeFileSync(join(folder, "rows.jsonl"), `${JSON.stringify(row)}\n`);
  const ours = samples.filter(({ language }) => language === "python");
  for (const { page, text } of ours) {
    const sample = text
      .replaceAll("http://127.0.0.1:4000", gateway.url)
      .replaceAll(/"(?:KEY|sk-\.\.\.)"/g, JSON.stringify(MASTER_KEY))
      .replaceAll('"rows.jsonl"', JSON.stringify(join(folder, "rows.jsonl")));
    const environment = { PATH: process.env.PATH, GATEWAY: gateway.url, KEY: MASTER_KEY };
    const { code, output } = await sdks.check("../../python-samples/prelude.py", [], {
      ...environment,
      PAGE: page,
      SAMPLE: sample,
    });
    process.stdout.write(`${page}: ${text.split("\n", 1)[0]}: ${code === 0 ? "ok" : `FAILS\n${output}`}\n`);
    if (code !== 0) process.exitCode = 1;
  }
  if (ours.length === 0) throw new Error("The pages have no sample in Python.");
} finally {
  rmSync(folder, { recursive: true, force: true });
  await gateway.close();
  await simulator.close();
}
