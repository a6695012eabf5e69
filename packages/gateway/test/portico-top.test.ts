import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { compileCache } from "../../../tools/bundles.ts";
import { porticoProgram, startTestGateway } from "./support/gateway.ts";

it("`portico top` shows the console's overview, without what steers terminals", async () => {
  const gateway = await startTestGateway();
  try {
    const message = { max_tokens: 10, messages: [{ role: "user", content: "hi" }] };
    await gateway.call("/v1/messages", { body: { model: "claude-\u001b[2Jodd", ...message } });
    await gateway.call("/v1/messages", { body: { model: "claude-sonnet-4-5", ...message } });
    const made = await gateway.call("/key/generate", { body: { user_role: "proxy_admin_viewer" } });
    const { key } = (await made.json()) as { key: string };
    const top = async (...flags: string[]) => {
      const command = [...(await porticoProgram()), "top", "--url", gateway.url, ...flags];
      const env = { PATH: process.env.PATH, ...compileCache(), PORTICO_API_KEY: key };
      return (await promisify(execFile)(process.execPath, command, { env })).stdout;
    };
    const text = await top();
    expect(text).toMatch(/deployments: \d+ in use, 0 in cooldown\n/);
    expect(text).toMatch(/^MODEL +REQUESTS +FAILED +SECONDS +INPUT +OUTPUT +SPEND USD$/m);
    expect(text).toMatch(/^claude-sonnet-4-5 +\d+ +0 +\d+\.\d\d +\d+ +\d+ +\d+\.\d{4}$/m);
    expect(text).not.toContain("\u001b");
    const look = JSON.parse(await top("--json")) as { overview: { totals: object }; health: object };
    expect(look.health).toHaveProperty("healthy_count");
    expect(look.overview.totals).toHaveProperty("requests");
  } finally {
    await gateway.close();
  }
});
