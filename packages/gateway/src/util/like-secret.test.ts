import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import * as litellm from "../../test/support/litellm-names.ts";
import { isLikeSecret } from "./like-secret.ts";
import { mayNameSecret } from "./secret-names.ts";

it.each([
  ...[
    "api_kye",
    "mastr_ky",
    "masterkye",
    "apiKay",
    "client_secrt",
    "clientSercet",
    "auth_tokn",
    "redis_pasword",
  ],
  ...[
    "redis_passowrd",
    "pass_word",
    "passprase",
    "vertex_credentals",
    "vertex_credential_s",
    "autorization",
    "session_coockie",
  ],
])("%s was meant to be a secret", (name) => {
  expect(isLikeSecret(name)).toBe(true);
});

it("takes no name of a setting for one that is not", () => {
  const documented = readFileSync(resolve(import.meta.dirname, "../../../../docs/configuration.md"), "utf8");
  const names = [
    ...[...documented.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
    ...Object.values(litellm).flat(),
  ].filter((name) => !mayNameSecret(name));
  expect(names.length).toBeGreaterThan(500);
  expect(names.filter(isLikeSecret)).toEqual([]);
});
