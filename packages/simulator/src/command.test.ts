import { createServer } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { runSimulatorCommand } from "./command.ts";

afterEach(() => vi.restoreAllMocks());

/** What the command says of arguments that it cannot use, and its exit code. */
async function refusal(...args: string[]): Promise<{ code: number | undefined; text: string }> {
  let text = "";
  vi.spyOn(process.stderr, "write").mockImplementation((part) => {
    text += String(part);
    return true;
  });
  return { code: await runSimulatorCommand(args), text };
}

describe("the simulator's command line", () => {
  it("names the flag that a misspelt one may mean", async () => {
    const { code, text } = await refusal("--prot", "0");
    expect(code).toBe(2);
    expect(text).toContain("there is no flag --prot (did you mean --port)\n");
    expect((await refusal("--zzz")).text).toContain("there is no flag --zzz\n");
  });

  it("says what to do when its port is taken", async () => {
    const holder = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => holder.once("listening", resolve));
    const { port } = holder.address() as { port: number };
    const { code, text } = await refusal("--port", String(port));
    await new Promise((resolve) => holder.close(resolve));
    expect(code).toBe(1);
    expect(text).toBe(`port ${port} is taken; choose another with --port, or --port 0 for a free one\n`);
  });
});
