import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { GatewayConfig } from "./gateway-config.ts";
import { WatchedConfig } from "./watched-config.ts";

const model = (name: string) => `{model_list: [{model_name: ${name}, litellm_params: {model: openai/a}}]}`;

describe("WatchedConfig", () => {
  let folder: string;
  let file: string;
  let source: WatchedConfig | undefined;
  const report = { loaded: vi.fn(), rejected: vi.fn() };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "portico-"));
    file = join(folder, "config.yaml");
    writeFileSync(file, model("first"));
    vi.clearAllMocks();
    source = new WatchedConfig(file, {}, {}, report);
  });

  afterEach(() => {
    source?.close();
    rmSync(folder, { recursive: true });
  });

  function changed(): Promise<GatewayConfig> {
    return new Promise((resolve) => source!.subscribe(resolve));
  }

  it("takes over a file that was replaced by renaming, as editors do", async () => {
    const next = changed();
    writeFileSync(`${file}.new`, model("second"));
    renameSync(`${file}.new`, file);
    expect((await next).deployments[0]?.modelName).toBe("second");
    expect(source?.current.deployments[0]?.modelName).toBe("second");
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
