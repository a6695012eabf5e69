import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { isUpstreamName, upstreamPath, upstreamSteps } from "../src/contract/upstream-path.ts";
import { requirePlainAddress } from "../src/platform/transport/upstream.ts";

describe("upstreamPath", () => {
  it("keeps each name within its segment", () => {
    expect(upstreamPath`/batches/${"a/b c"}/cancel`).toBe("/batches/a%2Fb%20c/cancel");
    expect(upstreamPath`/files/${"x?y#z"}`).toBe("/files/x%3Fy%23z");
    expect(upstreamSteps("models/veo/operations/1")).toBe("/models/veo/operations/1");
  });

  it.each([
    "",
    ".",
    "..",
    "a/..",
    "/a",
    "a/",
    "a//b",
    "%2e%2e",
    "a%2Fb",
    "a\\b",
    "a\nb",
    "\ud800",
    "a".repeat(5000),
  ])("refuses %j", (name) => {
    expect(isUpstreamName(name)).toBe(false);
    expect(() => upstreamPath`/files/${name}`).toThrow("An id in the request is not valid");
    expect(() => upstreamSteps(name)).toThrow("An id in the request is not valid");
  });
});

it.each([
  "http://a/v1/../b",
  "http://a/v1/%2e%2E/b",
  "http://a/v1/.",
  "http://a/%252e%252e/b",
  "http://a/..%2fb",
  "http://a/b\\c",
  "http://a/b%5Cc",
  "http://a/b c",
  "http://a/b\nc",
])("sends nothing to %j", (address) => {
  expect(() => requirePlainAddress(address)).toThrow("An id in the request is not valid");
});

it("leaves dots in names and queries alone", () => {
  for (const address of ["http://a/v1.5/..b/c..", "http://a/b?c=../d", "http://a/b?c=%5C"])
    expect(() => requirePlainAddress(address)).not.toThrow();
});

/** Where text is percent-encoded for something else than an upstream's path. */
const otherEncoders = [
  "contract/upstream-path.ts",
  // The caller's own addresses, at the gateway.
  "cli/batch-command.ts",
  "features/agents/a2a/routes.ts",
  "features/scim/resources.ts",
  // Names that the operator wrote or a machine's own service told.
  "providers/azure/azure-provider.ts",
  "providers/azure/entra-identity.ts",
  "providers/bedrock/credentials/machine-credentials.ts",
  "platform/config/read/litellm-environment.ts",
  "platform/config/read/read-redis.ts",
  "platform/config/read/read-sso.ts",
  // Keys of objects that the gateway names itself.
  "features/files/s3-storage.ts",
];

it("is the only place that puts names into an upstream's path", () => {
  const source = resolve(import.meta.dirname, "../src");
  const found = globSync("**/*.ts", { cwd: source })
    .filter((file) => !file.endsWith(".test.ts"))
    .filter((file) => /encodeURIComponent|as UpstreamPath/.test(readFileSync(resolve(source, file), "utf8")));
  expect(found.filter((file) => !otherEncoders.includes(file))).toEqual([]);
});
