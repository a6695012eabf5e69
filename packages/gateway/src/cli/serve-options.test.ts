import { describe, expect, it } from "vitest";
import { UsageError } from "./explain-error.ts";
import { helpText } from "./flags.ts";
import { parseServeOptions, serveHelp } from "./serve-options.ts";

describe("parseServeOptions", () => {
  it("has the documented defaults", () => {
    expect(parseServeOptions([], {})).toMatchObject({
      configFile: undefined,
      port: 4000,
      dataDirectory: "portico-data",
      overrides: {},
    });
  });

  it("listens on this machine only while providers are simulated, and everywhere with a configuration", () => {
    expect(parseServeOptions([], {})?.host).toBe("127.0.0.1");
    expect(parseServeOptions(["--config", "c.yaml"], {})?.host).toBe("0.0.0.0");
    expect(parseServeOptions(["--host", "::1", "--config", "c.yaml"], {})?.host).toBe("::1");
  });

  it("takes underscores for dashes", () => {
    const args = [
      "--data_dir",
      "d",
      "--api_base=http://host/a_b",
      "--max_tokens",
      "9",
      "--request-timeout",
      "2.5",
    ];
    expect(parseServeOptions(args, {})).toMatchObject({
      dataDirectory: "d",
      overrides: { apiBase: "http://host/a_b", maxTokens: 9, requestTimeout: 2.5 },
    });
  });

  it("takes an address for a provider only", () => {
    for (const address of ["foo", "", "localhost:8080", "ftp://host"])
      expect(() => parseServeOptions(["--api-base", address], {})).toThrow(/--api-base must be an address/);
  });

  it("prefers --port to PORT", () => {
    expect(parseServeOptions([], { PORT: "5000" })?.port).toBe(5000);
    expect(parseServeOptions(["--port", "0"], { PORT: "5000" })?.port).toBe(0);
  });

  it("says what is wrong with a flag", () => {
    expect(() => parseServeOptions(["--prot", "1"], {})).toThrow(
      new UsageError("there is no flag --prot (did you mean --port)"),
    );
    expect(() => parseServeOptions(["--port", "70000"], {})).toThrow(
      "--port must be a whole number, from 0 to 65535",
    );
    expect(() => parseServeOptions([], { PORT: "http" })).toThrow("PORT must be a whole number");
    expect(() => parseServeOptions(["--max_tokens", "1.5"], {})).toThrow(
      "--max-tokens must be a whole number",
    );
    expect(() => parseServeOptions(["--temperature", "hot"], {})).toThrow("--temperature must be a number");
    expect(() => parseServeOptions(["--log-level", "loud"], {})).toThrow("--log-level must be one of");
    expect(() => parseServeOptions(["--port"], {})).toThrow("--port needs a value");
    expect(() => parseServeOptions(["--version=yes"], {})).toThrow("--version");
  });

  it("documents every flag", () => {
    for (const name of Object.keys(serveHelp.flags)) expect(helpText(serveHelp)).toContain(`--${name}`);
  });
});
