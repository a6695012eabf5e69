import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { fixedConfig, type GatewayConfig } from "../../platform/config/gateway-config.ts";
import { readConfig } from "../../platform/config/read/read-config.ts";
import { Authenticator } from "./authenticate.ts";
import { masterKeyAtStart } from "./master-key.ts";

const folder = mkdtempSync(join(tmpdir(), "portico-sendable-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sendable = ["sk-12345678", "!#$%&'*+-.^_`|~", "Bearer-12345678", "k".repeat(512)];
const unsendable = {
  "a space inside": "sk-1234 5678",
  "a space before": " sk-12345678",
  "a line's end behind": "sk-12345678\n",
  "a tab": "sk-1234\t5678",
  "a NUL": "sk-1234\u00005678",
  "another control character": "sk-1234\u007f5678",
  "a letter of Latin-1": "sk-schlüssel",
  "a letter beyond": "sk-ключ-ключ",
  "a blank beyond ASCII": "sk-1234\u00a05678",
  "blanks alone": "        ",
  "too many characters": "k".repeat(513),
};

/** Every place where somebody can put a key, and the configuration that it comes to. */
const places: Readonly<Record<string, (key: string) => GatewayConfig>> = {
  "general_settings.master_key": (key) => read({ general_settings: { master_key: key } }),
  "a variable that the file names": (key) =>
    read({ general_settings: { master_key: "os.environ/NAMED" } }, { NAMED: key }),
  PORTICO_MASTER_KEY: (key) => read({}, { PORTICO_MASTER_KEY: key }),
  LITELLM_MASTER_KEY: (key) => read({}, { LITELLM_MASTER_KEY: key }),
  "environment_variables of the file": (key) => read({ environment_variables: { PORTICO_MASTER_KEY: key } }),
  "keys[]": (key) => read({ keys: [{ key }] }),
  "keys[] by a variable": (key) => read({ keys: [{ key: "os.environ/NAMED" }] }, { NAMED: key }),
};

function read(file: object, environment: Readonly<Record<string, string>> = {}): GatewayConfig {
  return readConfig("config.yaml", JSON.stringify(file), environment).config;
}

async function admits(config: GatewayConfig, key: string): Promise<boolean> {
  const authenticator = new Authenticator(fixedConfig(config), undefined, undefined);
  try {
    await authenticator.identify({ authorization: `Bearer ${key}` });
    return true;
  } catch {
    return false;
  }
}

describe.each(Object.entries(places))("A key in %s", (_, configure) => {
  it.each(sendable)("is let in where it is taken: %s", async (key) => {
    expect(await admits(configure(key), key)).toBe(true);
  });

  it.each(Object.entries(unsendable))("is refused with %s", (_, key) => {
    expect(() => configure(key)).toThrow(
      /(key: |environment )(is empty|has (a space|more than 512 characters))[^\n]*$/,
    );
  });
});

describe("A master key in the data directory", () => {
  const start = (key: string, config = read({})) => {
    writeFileSync(join(folder, "master-key"), `${key}\n`);
    return masterKeyAtStart(config, folder);
  };

  it("is taken as it stands there", () => {
    expect(start("sk-12345678")).toEqual({ key: "sk-12345678", source: "kept" });
  });

  it.each(Object.entries(unsendable).filter(([, key]) => key.trim().length > 11 && key === key.trim()))(
    "keeps the gateway from starting with %s",
    (_, key) => {
      expect(() => start(key)).toThrow(/^The master key in .+ has [^\n]+$/);
    },
  );

  it("keeps the gateway from starting where an entry of keys[] is the same", () => {
    const config = read({ keys: [{ key: "sk-other-1" }, { key: "sk-12345678", models: ["one"] }] });
    expect(() => start("sk-12345678", config)).toThrow(/^keys\[1\]\.key is the master key, which may do/);
  });
});

describe("Entries of keys[]", () => {
  it.each(["PORTICO_MASTER_KEY", "LITELLM_MASTER_KEY"])("are not the master key of %s", (variable) => {
    const file = { keys: [{ key: "sk-12345678", models: ["one"] }] };
    expect(() => read(file, { [variable]: "sk-12345678" })).toThrow(/keys\[0\]\.key: is the master key/);
  });

  it("are neither the master key of the file nor each other", () => {
    const keys = [{ key: "sk-12345678" }, { key: "sk-other-1" }, { key: "sk-other-1" }];
    const faults = () => read({ keys, general_settings: { master_key: "sk-12345678" } });
    expect(faults).toThrow(/keys\[0\]\.key: is the master key/);
    expect(faults).toThrow(/keys\[2\]\.key: is the same key as keys\[1\]/);
  });
});
