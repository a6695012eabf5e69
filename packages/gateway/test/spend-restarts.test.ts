import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SpendStore } from "../src/core/ledger/spend-store.ts";
import { openSqliteStore } from "../src/platform/store/open-store.ts";
import { spawnTestGateway, startTestGateway, type TestGateway } from "./support/gateway.ts";
import { message, newKey, rowsOf, spendOf } from "./support/spend.ts";
import { until } from "./support/until.ts";

describe("spend, when the process ends,", () => {
  let folder: string;
  const running: TestGateway[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "portico-spend-"));
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((gateway) => gateway.close()));
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(): Promise<TestGateway> {
    const gateway = await startTestGateway({ dataDirectory: folder });
    running.push(gateway);
    return gateway;
  }

  it("is written without being asked for, and survives kill -9 then, each call once", async () => {
    const killed = await spawnTestGateway({ dataDirectory: folder });
    const key = await newKey(killed);
    const calls = Array.from({ length: 20 }, (_, index) =>
      killed.call("/v1/messages", { key, body: message(`call ${index}`) }).then(async (response) => {
        await response.text();
        return response.headers.get("x-portico-call-id")!;
      }),
    );
    const ids = await Promise.all(calls);
    // The file is read, not the gateway, which would write what it has before it answers.
    const store = await openSqliteStore(folder);
    await until(
      () => new SpendStore(store).page({}, 0, 100),
      (rows) => rows.length === ids.length,
    );
    await store.close();
    killed.process.kill("SIGKILL");
    expect(await killed.exited).toBe("SIGKILL");
    await killed.close();
    const gateway = await start();
    const rows = await rowsOf(gateway, `api_key=${key}`);
    expect(rows.map((row) => row.request_id).sort()).toEqual([...ids].sort());
    const sum = rows.reduce((total, row) => total + row.spend, 0);
    expect(await spendOf(gateway, key)).toBeCloseTo(sum, 12);
  });

  it("lets a running stream finish on SIGTERM, then ends with 0 and everything written", async () => {
    const ending = await spawnTestGateway({ dataDirectory: folder });
    const key = await newKey(ending);
    const response = await ending.call("/v1/messages", {
      key,
      body: message("[[sim:tokens 60]] [[sim:delay 20]]", { stream: true }),
    });
    const reader = response.body!.getReader();
    let text = Buffer.from((await reader.read()).value!).toString();
    ending.process.kill("SIGTERM");
    for (let next = await reader.read(); !next.done; next = await reader.read())
      text += Buffer.from(next.value).toString();
    expect(text).toContain("event: message_stop");
    expect(await ending.exited).toBe(0);
    await ending.close();
    const gateway = await start();
    expect(await rowsOf(gateway, `api_key=${key}`)).toMatchObject([{ status: "success" }]);
  });
});
