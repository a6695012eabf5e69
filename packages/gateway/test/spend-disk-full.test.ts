import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MASTER_KEY, spawnTestGateway } from "./support/gateway.ts";
import { mayMount, mountSmallDisk } from "./support/small-disk.ts";
import { until } from "./support/until.ts";

const DISK_BYTES = 4 * 2 ** 20;

/** Where no disk can be mounted, `journal.test.ts` has one that refuses through the file's own calls. */
describe.skipIf(!mayMount)("A disk that is full", () => {
  let disk = "";
  beforeEach(() => {
    disk = mkdtempSync(join(tmpdir(), "portico-disk-"));
    mountSmallDisk(disk, DISK_BYTES);
  });
  afterEach(() => {
    execFileSync("umount", ["--lazy", disk]);
    rmSync(disk, { recursive: true, force: true });
  });

  it("stops no call, is told in log and metrics, and costs no row", async () => {
    const gateway = await spawnTestGateway({
      dataDirectory: disk,
      config: `
model_list:
  - {model_name: m, litellm_params: {model: openai/gpt-4o, api_key: k, mock_response: hello}}
gateway_settings: {callbacks: [prometheus]}
general_settings: {master_key: ${MASTER_KEY}}
`,
    });
    const ids: string[] = [];
    const call = async (): Promise<void> => {
      const body = { model: "m", messages: [{ role: "user", content: "hi" }] };
      const response = await gateway.call("/v1/chat/completions", { body });
      expect(response.status).toBe(200);
      await response.text();
      ids.push(response.headers.get("x-portico-call-id")!);
    };
    const metric = async (name: string): Promise<number> => {
      const text = await (await gateway.call("/metrics")).text();
      return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
    };
    try {
      await call();
      const filler = join(disk, "filler");
      // More than there is: the gateway writes meanwhile, so that nobody can say how much that is.
      expect(() => writeFileSync(filler, Buffer.alloc(DISK_BYTES))).toThrow("ENOSPC");
      // What the last page of the files still takes comes first.
      await until(async () => {
        await call();
        return gateway.log().includes("the spend journal takes no rows");
      });
      for (let index = 0; index < 20; index += 1) await call();
      expect(gateway.log()).toContain("ENOSPC");
      expect(await metric("portico_spend_rows_in_memory")).toBeGreaterThanOrEqual(20);
      rmSync(filler);
      // The database may have taken the rows first; then the journal is tried with the next one.
      await until(async () => {
        await call();
        return gateway.log().includes("the spend journal takes rows again");
      });
      await until(async () => (await metric("portico_spend_rows_in_memory")) === 0);
      expect(await metric("portico_spend_rows_lost")).toBe(0);
      const page = await (await gateway.call("/spend/logs?limit=1000")).json();
      const rows = (page as { data: { request_id: string }[] }).data.map((row) => row.request_id);
      expect(rows.toSorted()).toEqual(ids.toSorted());
    } finally {
      await gateway.close();
    }
  });
});
