import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { keysCommand } from "./keys-command.ts";

/** Values that no key has, by flag. */
const wrong: Readonly<Record<string, readonly string[]>> = {
  alias: ["", "x".repeat(300), "taken"],
  user: [""],
  role: ["", "boss"],
  team: [""],
  region: [""],
  models: ["", "a,,b"],
  duration: ["", "30x", "99999999999d"],
  rpm: ["", "x", "-1", "1.5", "1e99"],
  tpm: ["", "x", "-1", "1.5", "1e99"],
  parallel: ["", "x", "-1", "0.5", "1e99"],
  budget: ["", "x", "-1", "1e300"],
  "budget-duration": ["", "30x", "99999999999d"],
};

describe("portico keys", () => {
  let folder: string;
  let written = "";

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "portico-keys-"));
    for (const stream of [process.stdout, process.stderr])
      vi.spyOn(stream, "write").mockImplementation((text) => {
        written += String(text);
        return true;
      });
    await keysCommand(["create", "--data-dir", folder, "--alias", "taken"]);
  });
  afterAll(() => {
    vi.restoreAllMocks();
    rmSync(folder, { recursive: true, force: true });
  });

  const cases = Object.entries(wrong).flatMap(([flag, values]) =>
    values.map((value) => [flag, value] as const),
  );
  it.each(cases)("names the flag --%s whose value is %j, not a field", async (flag, value) => {
    const made = keysCommand(["create", "--data-dir", folder, `--${flag}=${value}`]);
    const { message } = await made.then(
      () => expect.fail("it was taken"),
      (error: Error) => error,
    );
    expect(message).toMatch(new RegExp(`^--${flag}\\b`));
    expect(message).not.toMatch(
      /key_|user_id|team_id|_(?:limit|budget|duration|region|requests)|description/,
    );
  });

  it("names the keys that cannot be deleted because there are none, without their text", async () => {
    written = "";
    const named = ["taken", "nobody", "sk-never-made-0123456789"];
    expect(await keysCommand(["delete", "--data-dir", folder, ...named])).toBe(1);
    expect(written).toContain("1 of 3 keys deleted");
    expect(written).toContain("There is no key nobody, sk-...6789; portico keys list shows them all.");
    expect(written).not.toContain("never-made");
  });

  it("says every flag that sets something of a key", async () => {
    written = "";
    await keysCommand(["--help"]);
    const flags = [...written.matchAll(/--([a-z-]+) [A-Z]/g)].map(([, flag]) => flag!);
    expect(flags.filter((flag) => !(flag in wrong))).toEqual(["config", "data-dir"]);
  });
});
