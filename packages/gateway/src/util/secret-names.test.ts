import { describe, expect, it } from "vitest";
import { redact } from "../platform/log/redact.ts";
import { maskSecrets } from "../platform/store/secret-params.ts";
import { withoutSent } from "../platform/transport/sent-secrets.ts";
import { mayNameSecret, namesSecret } from "./secret-names.ts";

const VALUE = "Zx9Qp3Lm7Ab1";
const secrets = [
  ...[
    "key",
    "api_key",
    "apiKey",
    "x-api-key",
    "OPENAI_API_KEY",
    "aws_secret_access_key",
    "private_key",
    "privateKey",
  ],
  ...[
    "token",
    "access_token",
    "accessToken",
    "refresh_token",
    "id_token",
    "azure_ad_token",
    "x-amz-security-token",
  ],
  ...[
    "secret",
    "client_secret",
    "clientSecret",
    "webhook_secret",
    "password",
    "db_password",
    "passwd",
    "passphrase",
    "pwd",
  ],
  ...[
    "credential",
    "credentials",
    "authorization",
    "proxy-authorization",
    "cookie",
    "set-cookie",
    "session_token",
  ],
  ...["Ocp-Apim-Subscription-Key", "signing_key", "sshKey"],
];
const others = [
  ...["max_tokens", "total_tokens", "key_alias", "key_name", "monkey", "tokenizer", "jira_key", "cache_key"],
  ...["secretary", "passwords_changed", "signed", "keyboard"],
];

describe.each(secrets)("%s names a secret", (name) => {
  it.each([
    ["a setting", `failed with ${name}=${VALUE} here`],
    ["a line", `${name}: ${VALUE}`],
    ["JSON", JSON.stringify({ a: 1, [name]: VALUE })],
    ["JSON in JSON", JSON.stringify({ error: JSON.stringify({ [name]: VALUE }) })],
    ["JSON in JSON in JSON", JSON.stringify({ e: JSON.stringify({ e: JSON.stringify({ [name]: VALUE }) }) })],
    ["an address", `https://host/path?${name}=${VALUE}&alt=sse`],
  ])("in %s", (_place, text) => {
    expect(redact(text)).not.toContain(VALUE);
  });

  it("in an object, in what is kept, and in a header that was sent", () => {
    expect([namesSecret(name), mayNameSecret(name)]).toEqual([true, true]);
    expect(JSON.stringify(maskSecrets({ [name]: VALUE }))).not.toContain(VALUE);
    expect(withoutSent(`the host quotes ${VALUE}`, { [name]: VALUE })).not.toContain(VALUE);
  });
});

it.each(others)("%s names none in a text", (name) => {
  expect(namesSecret(name)).toBe(false);
  for (const text of [`${name}=${VALUE}`, `${name}: ${VALUE}`, JSON.stringify({ [name]: VALUE })])
    expect(redact(text)).toBe(text);
});
