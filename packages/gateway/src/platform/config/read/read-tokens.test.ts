import { describe, expect, it } from "vitest";
import { ConfigError } from "../problem.ts";
import { readConfig } from "./read-config.ts";

/** What is wrong with settings of tokens, and what was read. */
function read(tokens: unknown, environment: Record<string, string> = {}, general: object = {}) {
  const settings = {
    master_key: "sk-0123456789",
    enable_jwt_auth: true,
    litellm_jwtauth: tokens,
    ...general,
  };
  const text = JSON.stringify({ model_list: [], general_settings: settings });
  try {
    const { config, warnings } = readConfig("c.yaml", text, environment);
    return { config, errors: "", warnings: warnings.map(({ message }) => message).join("\n") };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { config: undefined, errors: error.message, warnings: "" };
  }
}

const issuer = { issuer: "https://id.example.com", audience: "portico" };

describe("Settings of tokens", () => {
  it("are LiteLLM's; an issuer's own claims come before the common ones", () => {
    const { config } = read({
      user_id_jwt_field: "sub",
      issuers: [
        issuer,
        { ...issuer, issuer: "https://b.example/", team_id_jwt_field: "sub", user_id_jwt_field: "id" },
      ],
    });
    const [first, second] = config!.tokens!.issuers;
    expect(first).toMatchObject({
      keysUrl: "https://id.example.com/.well-known/openid-configuration",
      audience: ["portico"],
      claims: { userIdJwtField: "sub", teamIdJwtField: undefined },
    });
    expect(second).toMatchObject({
      keysUrl: "https://b.example/.well-known/openid-configuration",
      claims: { userIdJwtField: "id", teamIdJwtField: "sub" },
    });
  });

  it("may stand in LiteLLM's variables", () => {
    const url = "https://id.example.com/keys";
    const whole = { JWT_PUBLIC_KEY_URL: url, JWT_AUDIENCE: "a,b", JWT_ISSUER: "https://id.example.com" };
    const { config, warnings } = read({}, whole);
    expect(config!.tokens!.issuers).toMatchObject([
      { issuer: "https://id.example.com", keysUrl: url, audience: ["a", "b"] },
    ]);
    expect(warnings).toBe("");
    const careless = read(undefined, { JWT_PUBLIC_KEY_URL: "http://id.internal/keys" });
    expect(careless.warnings).toMatch(/JWT_AUDIENCE.*\n.*JWT_ISSUER.*\n.*https/);
    expect(read({}).errors).toContain("names no issuers");
  });

  it.each([
    ["an unknown claim", { issuers: [issuer], user_jwt_field: "sub" }, /did you mean user_id_jwt_field/],
    ["an unknown member of an issuer", { issuers: [{ ...issuer, user_id_field: "sub" }] }, /unknown key/],
    ["an issuer without audience", { issuers: [{ issuer: "https://a" }] }, /audience.*missing/],
    [
      "an audience that is and is not checked",
      { issuers: [{ ...issuer, disable_audience_validation: true }] },
      /cannot be checked and not be checked/,
    ],
    ["a prefix with a space", { issuers: [{ ...issuer, id_prefix: "a b" }] }, /id_prefix: expected/],
    ["an issuer without name", { issuers: [{ audience: "a" }] }, /issuer: is missing/],
    ["the same issuer twice", { issuers: [issuer, issuer] }, /has an entry already/],
    ["an address that is none", { issuers: [{ ...issuer, jwks_url: "file:///etc/keys" }] }, /https address/],
    [
      "an unknown role",
      { issuers: [issuer], role_mappings: [{ role: "a", internal_role: "king" }] },
      /one of/,
    ],
    ["roles without a claim", { issuers: [issuer], user_allowed_roles: ["a"] }, /need each other/],
    ["an empty list of routes", { issuers: [issuer], admin_allowed_routes: [] }, /is empty/],
    ["scopes that nothing enforces", { issuers: [issuer], scope_mappings: [] }, /enforce_scope_based_access/],
    [
      "a scope that allows an empty list",
      { issuers: [issuer], enforce_scope_based_access: true, scope_mappings: [{ scope: "a", models: [] }] },
      /leave it out/,
    ],
    ["a list that is none", { issuers: "https://a" }, /expected a list/],
    ["a text", "sub", /expected a map/],
  ])("refuse %s", (_, tokens, message) => {
    expect(read(tokens).errors).toMatch(message);
  });

  it("warn of what would not be enforced, and where they have no effect", () => {
    expect(read({ issuers: [issuer], custom_validate: "x.y" }).warnings).toContain("NOT ENFORCED");
    expect(read({ issuers: [{ ...issuer, issuer: "http://id.internal" }] }).warnings).toContain("use https");
    expect(read({ issuers: [{ ...issuer, issuer: "http://127.0.0.1:1" }] }).warnings).toBe("");
    const off = read({ issuers: [issuer] }, {}, { enable_jwt_auth: false });
    expect(off.warnings).toContain("not accepted without");
    expect(off.config!.tokens).toBeUndefined();
  });
});

describe("Settings of the sign-in", () => {
  const sso = (settings: object, environment: Record<string, string> = {}) =>
    read({ issuers: [issuer] }, environment, { sso: settings });

  it.each([
    ["no client", { issuer: "https://id.example.com" }, /client_id.*missing/],
    ["no issuer", { client_id: "a" }, /needs an issuer/],
    ["an unknown setting", { issuer: "https://a.example", client_id: "a", secret: "b" }, /unknown key/],
    ["a scope without openid", { issuer: "https://a.example", client_id: "a", scope: "email" }, /openid/],
    ["an address that is none", { issuer: "ftp://a.example", client_id: "a" }, /https address/],
    ["an address without https", { issuer: "http://a.example", client_id: "a" }, /https address/],
  ])("refuse %s", (_, settings, message) => {
    expect(sso(settings).errors).toMatch(message);
  });

  it("may stand in LiteLLM's variables, also Microsoft's and Google's", () => {
    const microsoft = read({ issuers: [issuer] }, { MICROSOFT_CLIENT_ID: "m", MICROSOFT_TENANT: "t" });
    expect(microsoft.config!.sso).toMatchObject({
      provider: { issuer: "https://login.microsoftonline.com/t/v2.0" },
      clientId: "m",
    });
    const google = read({ issuers: [issuer] }, { GOOGLE_CLIENT_ID: "g", GOOGLE_CLIENT_SECRET: "s" });
    expect(google.config!.sso).toMatchObject({ provider: { issuer: "https://accounts.google.com" } });
    const half = read({ issuers: [issuer] }, { GENERIC_CLIENT_ID: "g" });
    expect(half.config!.sso).toBeUndefined();
    expect(half.warnings).toContain("signing in is off");
  });
});
