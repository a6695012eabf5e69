import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { batchCommand } from "./batch-command.ts";

describe("portico batch run", () => {
  let folder: string;
  let rows: string;
  let server: Server;
  let url: string;
  let asked = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "portico-batch-"));
    rows = join(folder, "rows.jsonl");
    writeFileSync(rows, "{}\n");
    server = createServer((request, response) => {
      asked += 1;
      request.resume();
      const batch = { id: "batch_1", status: "completed", output_file_id: "file-1", error_file_id: null };
      if (request.url?.endsWith("/events") === true) response.end(`data: ${JSON.stringify(batch)}\n\n`);
      else if (request.url?.endsWith("/content") === true) response.end("results\n");
      else response.end(JSON.stringify(batch));
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (...flags: string[]): Promise<number> =>
    batchCommand(["run", rows, "--url", url, "--key", "sk-1", "--json", ...flags]);

  it.each([
    ["--window=3x", "--window must be a length of time such as 24h, not 3x"],
    ["--window=", "--window must be a length of time such as 24h, not empty"],
    ["--execution=here", "--execution must be auto, provider or gateway, not here"],
    ["--output=", "--output: "],
    ["--output=rows.jsonl/x", "--output: rows.jsonl/x cannot be written"],
    ["--output=.", "--output: . cannot be written (EISDIR)"],
  ])("refuses %s before anything is uploaded", async (flag, message) => {
    const before = asked;
    await expect(run(flag)).rejects.toThrow(message);
    expect(asked).toBe(before);
  });

  it("leaves a file alone until the results come in its place", async () => {
    const output = join(folder, "results.jsonl");
    writeFileSync(output, "what was there before, which is longer than the results\n");
    await expect(run("--output", output, "--window", "never")).rejects.toThrow("--window");
    expect(readFileSync(output, "utf8")).toContain("before");
    expect(await run("--output", output)).toBe(0);
    expect(readFileSync(output, "utf8")).toBe("results\n");
  });
});
