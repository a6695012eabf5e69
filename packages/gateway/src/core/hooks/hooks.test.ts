import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { newCallRecord } from "../../contract/call-record.ts";
import { GatewayError } from "../../contract/errors.ts";
import type { HookContext, Hooks } from "../../contract/hook.ts";
import type { JsonObject } from "../../contract/json.ts";
import { anonymous } from "../../contract/principal.ts";
import type { ConfigSource, GatewayConfig } from "../../platform/config/gateway-config.ts";
import { readConfig } from "../../platform/config/read/read-config.ts";
import { HookRegistry } from "./hook-registry.ts";
import { HookRunner } from "./hook-runner.ts";

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "portico-hooks-"));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

function contextOf(data: JsonObject): HookContext {
  return { callId: "call-1", callType: "acompletion", principal: anonymous, data };
}

function runner(...modules: Hooks[]): { run: HookRunner; reports: string[] } {
  const reports: string[] = [];
  const run = new HookRunner({ modules }, (hook, moment) => reports.push(`${hook} ${moment}`));
  return { run, reports };
}

class ChangingConfig implements ConfigSource {
  current: GatewayConfig;
  listeners: ((config: GatewayConfig) => void)[] = [];
  constructor(settings: object) {
    this.current = configOf(settings);
  }
  subscribe(listener: (config: GatewayConfig) => void): () => void {
    this.listeners.push(listener);
    return () => undefined;
  }
  change(settings: object): void {
    this.current = configOf(settings);
    for (const listener of this.listeners) listener(this.current);
  }
}

function configOf(settings: object): GatewayConfig {
  return readConfig("c.yaml", JSON.stringify({ gateway_settings: settings }), {}).config;
}

describe("HookRunner", () => {
  it("takes data that a hook put into its context", async () => {
    const { run } = runner(
      {
        preCall: (context) => {
          Object.assign(context, { data: { a: 1 } });
          return undefined;
        },
      },
      { preCall: ({ data }) => ({ ...data, b: 2 }) },
    );
    expect(await run.preCall(contextOf({ secret: 1 }))).toEqual({ a: 1, b: 2 });
    const junk = runner({ preCall: (context) => Object.assign(context, { data: "nonsense" }) && undefined });
    await expect(junk.run.preCall(contextOf({}))).rejects.toMatchObject({ status: 500 });
  });

  it("hands each pre-call hook what the one before made of the request", async () => {
    const { run } = runner(
      { preCall: ({ data }) => ({ ...data, a: 1 }) },
      { preCall: () => undefined },
      { preCall: ({ data }) => ({ ...data, b: data.a }) },
    );
    expect(await run.preCall(contextOf({ x: 0 }))).toEqual({ x: 0, a: 1, b: 1 });
  });

  it("returns the same object when nothing changed", async () => {
    const data = { x: 0 };
    expect(await runner({ preCall: () => undefined }).run.preCall(contextOf(data))).toBe(data);
  });

  it("lets a hook refuse with its own status, and hides other failures behind a 500", async () => {
    const own = runner({
      preCall: () => {
        throw new GatewayError(403, "permission_error", "no");
      },
    });
    await expect(own.run.preCall(contextOf({}))).rejects.toMatchObject({ status: 403, message: "no" });
    const foreign = runner({
      duringCall: () => Promise.reject(Object.assign(new Error("not now"), { status: 429 })),
    });
    await expect(foreign.run.duringCall(contextOf({}))).rejects.toMatchObject({
      status: 429,
      message: "not now",
    });
    expect(foreign.reports).toEqual([]);
    const broken = runner({ name: "mine", preCall: () => Promise.reject(new Error("password is x")) });
    await expect(broken.run.preCall(contextOf({}))).rejects.toMatchObject({
      status: 500,
      message: "A pre-call hook failed.",
    });
    expect(broken.reports).toEqual(["mine pre-call"]);
  });

  it("keeps failures of the failure hook and of the status update from the caller", async () => {
    const { run, reports } = runner({
      name: "mine",
      failure: () => Promise.reject(new Error("x")),
      requestStatus: () => {
        throw new Error("y");
      },
    });
    await run.failure(contextOf({}), new GatewayError(500, "api_error", "z"), newCallRecord("acompletion"));
    run.scheduleSuccess("call-1");
    await new Promise((done) => setImmediate(() => setImmediate(done)));
    expect(reports).toEqual(["mine failure", "mine request status"]);
  });

  it("schedules the status update success, keyed by the call id, after the answer", async () => {
    const updates: object[] = [];
    const { run } = runner({ requestStatus: (update) => void updates.push(update) });
    run.scheduleSuccess("call-1");
    expect(updates).toEqual([]);
    await new Promise((done) => setImmediate(() => setImmediate(done)));
    expect(updates).toEqual([{ gateway_call_id: "call-1", status: "success" }]);
  });

  it("wraps streams in the modules' order", async () => {
    const suffix = (text: string): Hooks => ({
      async *postCallStream(_context, stream) {
        yield* stream;
        yield Buffer.from(text);
      },
    });
    async function* source() {
      yield Buffer.from("0");
    }
    const chunks: Uint8Array[] = [];
    const wrapped = runner(suffix("1"), {}, suffix("2")).run.postCallStream(contextOf({}), source());
    for await (const chunk of wrapped) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe("012");
  });
});

describe("HookRegistry", () => {
  it("loads modules by path, keeps the old ones when a changed one is broken, and reloads a mended one", async () => {
    const folder = await folderWith({
      "a.mjs": "export const preCall = () => ({ from: 'a' });",
      "b.mjs": "export default { name: 'bee', preCall: ({ data }) => ({ ...data, also: 'b' }) };",
      "broken.mjs": "export const nothing = 1;",
    });
    const warnings: string[] = [];
    const config = new ChangingConfig({ callbacks: ["./a.mjs", "prometheus"] });
    const registry = await HookRegistry.open(config, folder, (message) => warnings.push(message));
    const run = new HookRunner(registry, () => undefined);
    expect(await run.preCall(contextOf({}))).toEqual({ from: "a" });
    expect(warnings).toEqual([]);

    config.change({ callbacks: ["broken.mjs"] });
    config.change({ callbacks: ["missing.mjs"] });
    await registry.close();
    expect(warnings.join()).toMatch(/broken.mjs exports none.*missing.mjs cannot be loaded/);
    expect(await run.preCall(contextOf({}))).toEqual({ from: "a" });

    config.change({ callbacks: ["a.mjs", "b.mjs"] });
    await registry.close();
    expect(await run.preCall(contextOf({}))).toEqual({ from: "a", also: "b" });
    expect(registry.modules.map(({ name }) => name)).toEqual(["a.mjs", "bee"]);
  });

  it("refuses to start with a module that cannot be loaded", async () => {
    const config = new ChangingConfig({ callbacks: ["none.mjs"] });
    await expect(HookRegistry.open(config, tmpdir(), () => undefined)).rejects.toThrow("none.mjs");
  });
});

describe("the built-in guard", () => {
  async function guard(rules: object[]): Promise<HookRunner> {
    const folder = await folderWith({ "guard.json": JSON.stringify({ rules }) });
    const config = new ChangingConfig({ guard: "guard.json" });
    const registry = await HookRegistry.open(config, folder, () => undefined);
    return new HookRunner(registry, () => undefined);
  }
  const messages = (text: string): JsonObject => ({
    model: "4111111111111111",
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text },
          { type: "image", data: "4111111111111111" },
        ],
      },
    ],
  });

  it("masks what its pattern finds in texts, and nothing else", async () => {
    const run = await guard([{ name: "card", pattern: "\\d{16}", action: "mask" }]);
    expect(
      await run.preCall(contextOf(messages("pay 4111111111111111 with $& and 4222222222222222"))),
    ).toEqual(messages("pay [card] with $& and [card]"));
  });

  it("refuses, naming the rule and not the text", async () => {
    const run = await guard([{ name: "secrets", pattern: "hush", flags: "i", action: "refuse" }]);
    const failure = await run.preCall(contextOf(messages("HUSH now"))).catch((error: unknown) => error);
    expect(failure).toMatchObject({ status: 400, providerCode: "content_policy_violation" });
    expect((failure as Error).message).toContain("secrets");
    expect((failure as Error).message).not.toContain("HUSH");
  });

  it("leaves a harmless request as it was", async () => {
    const run = await guard([{ name: "card", pattern: "\\d{16}", action: "mask" }]);
    const data = messages("hello");
    expect(await run.preCall(contextOf(data))).toBe(data);
  });

  it.each([[{ name: "x", pattern: "(", action: "mask" }], [{ name: "x", pattern: "a", action: "log" }]])(
    "refuses to start with %o",
    async (rule) => {
      await expect(guard([rule])).rejects.toThrow("guard's rule");
    },
  );
});
