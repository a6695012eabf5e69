import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { everyOperation } from "./rules/everything.ts";
import { ask, examples, successOf } from "./rules/requests.ts";
import { type Stage, startStage } from "./rules/stage.ts";

/** Every operation when the provider closes the connections that the gateway has kept, just as the next request comes. */
const operations = await everyOperation();

describe("With kept connections that the provider closes on the next request", () => {
  let stage: Stage;
  /** Milliseconds that have passed beside those that did. */
  let later = 0;
  beforeAll(async () => {
    const real = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => real() + later);
    stage = await startStage();
  });
  afterAll(async () => {
    await stage?.close();
    vi.restoreAllMocks();
  });

  it.each(operations)("$method $path is answered", async (operation) => {
    const { needs } = examples[operation.id]!;
    for (const form of operation.forms) {
      later += 1500;
      const ids = needs === undefined ? {} : await stage.make(needs);
      const warm = { model: "gpt", messages: [{ role: "user", content: "hello" }] };
      await (await stage.gateway.call("/v1/chat/completions", { body: warm })).text();
      stage.closeOnNext();
      // An answer that is on its way frees its connection before the time passes.
      for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
      later += 1500;
      const { status, body } = await ask(stage, operation, { form, ids });
      expect([form, status, body]).toEqual([form, successOf(operation), expect.anything()]);
    }
  });
});
