import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

const PAGE = "<script>alert(1)</script>";
/** Answers every request with a page. */
const upstream = createServer((request, response) => {
  request.resume();
  const type = request.url?.includes("untyped") ? {} : { "content-type": "text/html" };
  response.writeHead(200, type).end(PAGE);
});

let gateway: TestGateway;
beforeAll(async () => {
  await new Promise<void>((ready) => upstream.listen(0, "127.0.0.1", ready));
  const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  const at = `api_base: "${url}/v1", api_key: sk-providers-own-key-0123456789`;
  gateway = await startTestGateway({
    config: `model_list:
  - {model_name: gpt, litellm_params: {model: openai/gpt-4o, ${at}}}
  - {model_name: claude, litellm_params: {model: anthropic/claude-sonnet-4-5, ${at}}}
general_settings:
  master_key: sk-test-master-key-0123456789
  pass_through_endpoints: [{path: /far, target: "${url}", include_subpath: true}]
`,
  });
});
afterAll(async () => {
  await gateway?.close();
  upstream.closeAllConnections();
  upstream.close();
});

it("No answer to a caller with a key or a session is a page that runs", async () => {
  const { paths } = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, object>>;
  };
  const known = Object.entries(paths).flatMap(([path, operations]) =>
    "get" in operations ? [path.replaceAll(/\{\w+\}/g, "x")] : [],
  );
  const addresses = [
    ...known,
    "/openai/v1/untyped",
    "/anthropic/v1/files/x/content",
    "/far/x",
    "/far/untyped",
  ];
  const pages: string[] = [];
  for (const path of addresses) {
    const answer = await gateway.call(path);
    const reader = answer.body?.getReader();
    const first = await reader?.read();
    await reader?.cancel();
    if (
      !Buffer.from(first?.value ?? [])
        .toString()
        .includes(PAGE)
    )
      continue;
    pages.push(path);
    const { headers } = answer;
    expect([path, headers.get("content-security-policy"), headers.get("x-content-type-options")]).toEqual([
      path,
      "default-src 'none'; sandbox",
      "nosniff",
    ]);
  }
  expect(pages).toEqual(
    expect.arrayContaining(["/v1/files/x/content", "/openai/v1/untyped", "/far/x", "/far/untyped"]),
  );
});
