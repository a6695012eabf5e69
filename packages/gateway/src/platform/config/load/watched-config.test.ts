import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { GatewayConfig } from "../gateway-config.ts";
import { WatchedConfig } from "./watched-config.ts";

const model = (name: string) => `{model_list: [{model_name: ${name}, litellm_params: {model: openai/a}}]}`;

describe("WatchedConfig", () => {
  let folder: string;
  let file: string;
  let source: WatchedConfig | undefined;
  const report = { loaded: vi.fn(), rejected: vi.fn(), readHere: vi.fn() };

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "portico-"));
    file = join(folder, "config.yaml");
    writeFileSync(file, model("first"));
    vi.clearAllMocks();
    source = await WatchedConfig.open(
      { file, environment: {}, commandLine: {}, providers: undefined },
      report,
    );
  });

  afterEach(() => {
    source?.close();
    rmSync(folder, { recursive: true });
  });

  function opened(): Promise<WatchedConfig> {
    return WatchedConfig.open({ file, environment: {}, commandLine: {}, providers: undefined }, report);
  }

  function changed(): Promise<GatewayConfig> {
    return new Promise((resolve) => source!.subscribe(resolve));
  }

  it("tells of a thread that cannot read, and reads the file all the same", async () => {
    source!.close();
    // No thread gets a function.
    const commandLine = { requestTimeout: (() => 1) as never };
    source = await WatchedConfig.open({ file, environment: {}, commandLine, providers: undefined }, report);
    writeFileSync(file, model("second"));
    await source.reload();
    expect(source.current.deployments[0]?.modelName).toBe("second");
    expect(report.readHere).toHaveBeenCalledOnce();
    expect(report.rejected).not.toHaveBeenCalled();
  });

  it("takes over a file that was replaced by renaming, as editors do", async () => {
    const next = changed();
    writeFileSync(`${file}.new`, model("second"));
    renameSync(`${file}.new`, file);
    expect((await next).deployments[0]?.modelName).toBe("second");
    expect(source?.current.deployments[0]?.modelName).toBe("second");
  });

  it("reads a long file as well at the start as later", async () => {
    source?.close();
    writeFileSync(file, `${`# ${"long ".repeat(200)}\n`.repeat(1100)}${model("long")}`);
    source = await opened();
    expect(source.current.deployments[0]?.modelName).toBe("long");
    expect(Buffer.from(source.file.bytes).toString()).toContain("model_name: long");
    writeFileSync(file, "model_list: 3".padEnd(2_000_000));
    await expect(opened()).rejects.toThrow("expected a list");
  });

  it("takes the last of many changes", async () => {
    const included = join(folder, "more.yaml");
    writeFileSync(included, model("more-0"));
    writeFileSync(file, "include: more.yaml");
    for (let turn = 1; turn < 20; turn += 1) {
      void source?.reload();
      await setImmediate();
      writeFileSync(included, model(`more-${turn}`));
    }
    await expect.poll(() => source?.current.deployments[0]?.modelName).toBe("more-19");
    await source?.reload();
  });

  it("follows the files that it includes", async () => {
    const included = join(folder, "more.yaml");
    writeFileSync(included, model("more"));
    let next = changed();
    writeFileSync(file, "include: more.yaml");
    expect((await next).deployments[0]?.modelName).toBe("more");
    next = changed();
    writeFileSync(included, model("others"));
    expect((await next).deployments[0]?.modelName).toBe("others");
  });

  it("keeps the old configuration when the new one is broken, and takes the next that is not", async () => {
    writeFileSync(file, "model_list: 3");
    await source?.reload();
    expect(report.rejected).toHaveBeenCalledOnce();
    expect(source?.current.deployments[0]?.modelName).toBe("first");
    const next = changed();
    writeFileSync(file, model("third"));
    expect((await next).deployments[0]?.modelName).toBe("third");
  });
});
