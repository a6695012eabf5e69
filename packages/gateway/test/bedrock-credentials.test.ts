import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import OpenAI from "openai";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

/** What was asked of AWS's own services: the Security Token Service, a container's and an instance's credentials. */
let asked: { method: string; url: string; headers: IncomingHttpHeaders; form: URLSearchParams }[] = [];
/** Seconds for which credentials of roles are good. */
let lifetime = 3600;
let refuses = false;
/** When the Security Token Service may answer. */
let gate: Promise<unknown> = Promise.resolve();

function expiration(): string {
  return new Date(Date.now() + lifetime * 1000).toISOString();
}

function sts(form: URLSearchParams): string {
  const action = form.get("Action")!;
  const name = form.get("RoleArn")!.split("/").at(-1);
  return `<${action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><${action}Result>
  <AssumedRoleUser><Arn>${form.get("RoleArn")}</Arn></AssumedRoleUser>
  <Credentials><AccessKeyId>ASIA-${name}</AccessKeyId><SecretAccessKey>sts-secret</SecretAccessKey>
  <SessionToken>session/of+${name}==</SessionToken><Expiration>${expiration()}</Expiration></Credentials>
</${action}Result></${action}Response>`;
}

const roles = "/latest/meta-data/iam/security-credentials/";
const machine = {
  AccessKeyId: "ASIA-machine",
  SecretAccessKey: "machine-secret",
  Token: "session-of-machine",
};

const aws = createServer((request, response) => {
  void text(request).then((body) => {
    const { method = "", url = "", headers } = request;
    const form = new URLSearchParams(body);
    asked.push({ method, url, headers, form });
    if (refuses) response.writeHead(403).end("<Error><Code>AccessDenied</Code></Error>");
    else if (url === "/latest/api/token" && method === "PUT") response.end("imds-token");
    else if (url === roles) response.end("the-role\n");
    else if (url === `${roles}the-role` || url === "/container")
      response.end(JSON.stringify({ ...machine, Expiration: expiration() }));
    else if (form.has("Action")) void gate.then(() => response.end(sts(form)));
    else response.writeHead(404).end();
  });
});

let simulator: Simulator;
let gateway: TestGateway;
let folder: string;
let awsUrl: string;

beforeAll(async () => {
  await once(aws.listen(0, "127.0.0.1"), "listening");
  awsUrl = `http://127.0.0.1:${(aws.address() as AddressInfo).port}`;
  simulator = await startSimulator({ port: 0 });
  folder = mkdtempSync(join(tmpdir(), "portico-aws-"));
  writeFileSync(join(folder, "token"), "token-of-the-file\n");
  writeFileSync(
    join(folder, "config"),
    `[default]
region = eu-west-1

[profile by-role]
role_arn = arn:aws:iam::1:role/of-profile
source_profile = with-keys
external_id = known
s3 =
  addressing_style = path
; a comment
[profile by-program]
credential_process = echo '{"Version": 1, "AccessKeyId": "AKIA-program", "SecretAccessKey": "p"}'

[profile by-counting]
credential_process = echo started >> ${join(folder, "started")}; echo '{"Version": 1, "AccessKeyId": "AKIA-counted", "SecretAccessKey": "p"}'

[profile circle]
role_arn = arn:aws:iam::1:role/circle
source_profile = circle
`,
  );
  writeFileSync(
    join(folder, "credentials"),
    "[with-keys]\naws_access_key_id=AKIA-profile\naws_secret_access_key = profile-secret\n",
  );
  const keys = "aws_access_key_id: AKIAOWN, aws_secret_access_key: own-secret";
  const entry = (name: string, params: string): string =>
    `  - {model_name: ${name}, litellm_params: {model: bedrock/amazon.nova-pro-v1:0, api_base: "${simulator.url}/bedrock", aws_region_name: eu-central-1, ${params}}}\n`;
  gateway = await startTestGateway({
    config: `model_list:
${[
  entry(
    "role",
    `${keys}, aws_role_name: "arn:aws:iam::1:role/r", aws_session_name: s, aws_external_id: e, aws_session_tags: [{Key: team, Value: a b}]`,
  ),
  entry("short", `${keys}, aws_role_name: "arn:aws:iam::1:role/short"`),
  entry("many", `${keys}, aws_role_name: "arn:aws:iam::1:role/many"`),
  entry("left", `${keys}, aws_role_name: "arn:aws:iam::1:role/left"`),
  entry("refused", `${keys}, aws_role_name: "arn:aws:iam::1:role/refused"`),
  entry(
    "token",
    `aws_role_name: "arn:aws:iam::1:role/t", aws_web_identity_token: "oidc/file${folder}/token"`,
  ),
  entry("token-env", `aws_role_name: "arn:aws:iam::1:role/v", aws_web_identity_token: oidc/env/MY_TOKEN`),
  entry("profile", "aws_profile_name: with-keys"),
  entry("profile-role", "aws_profile_name: by-role"),
  entry("profile-program", "aws_profile_name: by-program"),
  entry("profile-counting", "aws_profile_name: by-counting"),
  entry("profile-circle", "aws_profile_name: circle"),
  entry("profile-missing", "aws_profile_name: nowhere"),
  entry("usual", "timeout: 30"),
].join("")}router_settings: {num_retries: 0, disable_cooldowns: true}
`,
  });
});
beforeEach(() => {
  asked = [];
  refuses = false;
  gate = Promise.resolve();
  lifetime = 3600;
  vi.stubEnv("AWS_CONFIG_FILE", join(folder, "config"));
  vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", join(folder, "credentials"));
  vi.stubEnv("AWS_STS_ENDPOINT", awsUrl);
  vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
});
afterEach(() => vi.unstubAllEnvs());
afterAll(async () => {
  await gateway.close();
  await simulator.close();
  aws.closeAllConnections();
  aws.close();
  rmSync(folder, { recursive: true });
});

/** Asks a model through the official client. @returns the access key and the session that Bedrock saw */
async function signedBy(model: string): Promise<[key: string | undefined, session: string | undefined]> {
  const openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.masterKey, maxRetries: 0 });
  const messages = [{ role: "user" as const, content: "hello" }];
  await openai.chat.completions.create({ model, messages });
  const { requests } = (await (await fetch(`${simulator.url}/_admin/requests`)).json()) as {
    requests: { headers: Record<string, string> }[];
  };
  const { authorization, "x-amz-security-token": session } = requests.at(-1)!.headers;
  return [/Credential=([^/]+)\/\d{8}\/eu-central-1\/bedrock\//.exec(authorization!)?.[1], session];
}

/** Holds back the answers of AWS until the returned function is called, and at the latest until the test's end. */
function closeGate(): () => void {
  const opened = Promise.withResolvers<void>();
  gate = opened.promise;
  onTestFinished(() => opened.resolve());
  return opened.resolve;
}

async function failure(model: string): Promise<string> {
  const body = { model, messages: [{ role: "user", content: "hello" }] };
  const response = await gateway.call("/v1/chat/completions", { body });
  expect(response.status).toBeGreaterThanOrEqual(500);
  return response.text();
}

describe("Bedrock's credentials", () => {
  it("are those of a role, asked for with the deployment's keys, once for many calls", async () => {
    for (let call = 0; call < 3; call += 1)
      expect(await signedBy("role")).toEqual(["ASIA-r", "session/of+r=="]);
    expect(asked).toHaveLength(1);
    expect(asked[0]!.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIAOWN\/\d{8}\/eu-central-1\/sts\/aws4_request, /,
    );
    expect(Object.fromEntries(asked[0]!.form)).toEqual({
      Action: "AssumeRole",
      Version: "2011-06-15",
      RoleArn: "arn:aws:iam::1:role/r",
      RoleSessionName: "s",
      ExternalId: "e",
      "Tags.member.1.Key": "team",
      "Tags.member.1.Value": "a b",
    });
  });

  it("are asked for again when they are about to end", async () => {
    lifetime = 60;
    await signedBy("short");
    await signedBy("short");
    expect(asked).toHaveLength(2);
  });

  it("are asked for once by calls of the same moment", async () => {
    const open = closeGate();
    const calls = Array.from({ length: 20 }, () => signedBy("many"));
    await signedBy("profile");
    open();
    for (const call of calls) expect((await call)[0]).toBe("ASIA-many");
    expect(asked).toHaveLength(1);
  });

  it("reach the calls that wait for them when the caller whose call asked leaves", async () => {
    const open = closeGate();
    const leaving = new AbortController();
    const body = { model: "left", messages: [{ role: "user", content: "hello" }] };
    const left = gateway.call("/v1/chat/completions", { body, signal: leaving.signal }).catch(() => "left");
    await until(() => asked.length === 1);
    const others = [signedBy("left"), signedBy("left"), signedBy("left")];
    await signedBy("profile");
    leaving.abort();
    expect(await left).toBe("left");
    await until(() => asked.length === 2);
    open();
    for (const other of others) expect((await other)[0]).toBe("ASIA-left");
    expect(asked).toHaveLength(2);
  });

  it("are a role's for a token out of a file or a variable, which no key signs", async () => {
    expect(await signedBy("token")).toEqual(["ASIA-t", "session/of+t=="]);
    vi.stubEnv("MY_TOKEN", "token-of-the-variable");
    expect((await signedBy("token-env"))[0]).toBe("ASIA-v");
    expect(asked.map(({ form }) => form.get("WebIdentityToken"))).toEqual([
      "token-of-the-file",
      "token-of-the-variable",
    ]);
    expect(asked[0]!.form.get("Action")).toBe("AssumeRoleWithWebIdentity");
    expect(asked[0]!.headers.authorization).toBeUndefined();
  });

  it("are a profile's: its keys, its role, or what its program prints", async () => {
    expect(await signedBy("profile")).toEqual(["AKIA-profile", undefined]);
    expect(asked).toEqual([]);
    expect((await signedBy("profile-role"))[0]).toBe("ASIA-of-profile");
    expect(asked[0]!.headers.authorization).toContain("Credential=AKIA-profile/");
    expect(asked[0]!.form.get("ExternalId")).toBe("known");
    expect((await signedBy("profile-program"))[0]).toBe("AKIA-program");
  });

  it("follow a profile's file when it is written anew", async () => {
    expect((await signedBy("profile"))[0]).toBe("AKIA-profile");
    const file = join(folder, "credentials");
    const before = readFileSync(file, "utf8");
    writeFileSync(file, before.replace("AKIA-profile", "AKIA-rotated"));
    expect((await signedBy("profile"))[0]).toBe("AKIA-rotated");
    writeFileSync(file, before);
    expect((await signedBy("profile"))[0]).toBe("AKIA-profile");
  });

  it("that a profile's program prints without an end are kept: it is not started for every call", async () => {
    for (let call = 0; call < 3; call += 1)
      expect((await signedBy("profile-counting"))[0]).toBe("AKIA-counted");
    expect(readFileSync(join(folder, "started"), "utf8")).toBe("started\n");
  });

  it("without any of these are found as AWS's own programs find them", async () => {
    expect(await failure("usual")).toContain("has no credentials");
    vi.stubEnv("AWS_EC2_METADATA_DISABLED", "");
    vi.stubEnv("AWS_EC2_METADATA_SERVICE_ENDPOINT", awsUrl);
    lifetime = 60;
    expect(await signedBy("usual")).toEqual(["ASIA-machine", "session-of-machine"]);
    expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "PUT /latest/api/token",
      `GET ${roles}`,
      `GET ${roles}the-role`,
    ]);
    expect(asked[2]!.headers["x-aws-ec2-metadata-token"]).toBe("imds-token");
    vi.stubEnv("AWS_CONTAINER_CREDENTIALS_FULL_URI", `${awsUrl}/container`);
    vi.stubEnv("AWS_CONTAINER_AUTHORIZATION_TOKEN", "of-the-container");
    expect((await signedBy("usual"))[0]).toBe("ASIA-machine");
    expect(asked.at(-1)).toMatchObject({ url: "/container", headers: { authorization: "of-the-container" } });
    vi.stubEnv("AWS_PROFILE", "with-keys");
    expect((await signedBy("usual"))[0]).toBe("AKIA-profile");
    vi.stubEnv("AWS_ROLE_ARN", "arn:aws:iam::1:role/pod");
    vi.stubEnv("AWS_WEB_IDENTITY_TOKEN_FILE", join(folder, "token"));
    expect((await signedBy("usual"))[0]).toBe("ASIA-pod");
    vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIA-environment");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "s");
    expect((await signedBy("usual"))[0]).toBe("AKIA-environment");
  });

  it("that cannot be had are named, and nobody else's are used; secrets stay out of answers and the log", async () => {
    vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIA-environment");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "environment-secret");
    vi.stubEnv("AWS_BEARER_TOKEN_BEDROCK", "bearer-of-the-environment");
    expect(await failure("profile-missing")).toContain("there is no profile nowhere");
    expect(await failure("profile-circle")).toContain("lead in a circle");
    refuses = true;
    const answer = await failure("refused");
    expect(answer).toContain("check aws_role_name");
    for (const place of [answer, gateway.log(), await (await gateway.call("/v1/model/info")).text()])
      expect(place).not.toMatch(/own-secret|sts-secret|session\/of|token-of-the|environment-secret/);
  });
});
