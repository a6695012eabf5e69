import { describe, expect, it } from "vitest";
import { parseServeOptions, serveFlags, usage } from "./serve-options.ts";
import { UsageError } from "./usage-error.ts";

describe("parseServeOptions", () => {
  it("has the documented defaults", () => {
    expect(parseServeOptions([], {})).toMatchObject({
      configFile: undefined,
      port: 4000,
      dataDirectory: "portico-data",
      overrides: {},
    });
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

  it("prefers --port to PORT", () => {
    expect(parseServeOptions([], { PORT: "5000" }).port).toBe(5000);
    expect(parseServeOptions(["--port", "0"], { PORT: "5000" }).port).toBe(0);
  });

  it("says what is wrong with a flag", () => {
    expect(() => parseServeOptions(["--prot", "1"], {})).toThrow(
      new UsageError("unknown flag --prot; did you mean --port?"),
    );
    expect(() => parseServeOptions(["--port", "70000"], {})).toThrow(
      "--port must be a number from 0 to 65535",
    );
    expect(() => parseServeOptions([], { PORT: "http" })).toThrow("PORT must be a number");
    expect(() => parseServeOptions(["--temperature", "hot"], {})).toThrow("--temperature must be a number");
    expect(() => parseServeOptions(["--log-level", "loud"], {})).toThrow("--log-level must be one of");
  });

  it("documents every flag", () => {
    for (const name of Object.keys(serveFlags)) expect(usage()).toContain(`--${name}`);
  });
});
