import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MASTER_KEY, startTestGateway, type TestGateway } from "./support/gateway.ts";

const PROVIDER_KEY = "sk-of-a-provider-0123456789";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({
    config: `
model_list: [{model_name: a-private-model, litellm_params: {model: openai/gpt-4o, api_key: ${PROVIDER_KEY}}}]
general_settings: {master_key: ${MASTER_KEY}}
`,
  });
});
afterAll(() => gateway?.close());

/** @param key of whoever asks */
function home(accept?: string, key?: string): Promise<Response> {
  const headers = { ...(accept && { accept }), ...(key && { authorization: `Bearer ${key}` }) };
  return fetch(`${gateway.url}/`, { headers });
}

const browsers = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";

describe("GET /", () => {
  it("is a page for browsers, on which nothing runs and every link leads somewhere", async () => {
    const answer = await home(browsers);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(answer.headers.get("vary")).toBe("accept");
    const page = await answer.text();
    expect(page).toContain("<h1>Portico");
    expect(page).not.toMatch(/<script|<link|<img|https?:/);
    const links = [...page.matchAll(/<a href="([^"]+)"/g)].map(([, link]) => link!);
    expect(links).toEqual(expect.arrayContaining(["/ui", "/docs", "/openapi.json"]));
    for (const link of links) {
      const there = await fetch(gateway.url + link, { headers: { accept: browsers } });
      expect(there.status, link).toBe(200);
      await there.body?.cancel();
    }
  });

  it.each([undefined, "*/*", "application/json"])("is JSON for others, who accept %s", async (accept) => {
    const answer = await home(accept);
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    expect(answer.headers.get("vary")).toBe("accept");
    const { name, version, ...places } = (await answer.json()) as Record<string, string>;
    expect(name).toBe("Portico");
    expect(version).toMatch(/^\d+\.\d+\.\d+/);
    const { openai_base_url, anthropic_base_url, ...addresses } = places;
    const key = { authorization: `Bearer ${MASTER_KEY}`, "anthropic-version": "2023-06-01" };
    for (const address of [...Object.values(addresses), `${openai_base_url}/models`]) {
      const there = await fetch(gateway.url + address, { headers: key });
      expect(there.status, address).toBe(200);
      await there.body?.cancel();
    }
    // A message without its fields is refused for that, and not for its address.
    const body = { method: "POST", body: "{}", headers: { ...key, "content-type": "application/json" } };
    const refused = await fetch(`${gateway.url}${anthropic_base_url}/v1/messages`, body);
    expect(refused.status).toBe(400);
    await refused.body?.cancel();
  });

  it("is the same for everybody, and tells nothing of what is configured", async () => {
    for (const accept of [browsers, "application/json"]) {
      const text = await (await home(accept)).text();
      expect(await (await home(accept, MASTER_KEY)).text()).toBe(text);
      for (const secret of [MASTER_KEY, PROVIDER_KEY, "a-private-model"]) expect(text).not.toContain(secret);
    }
  });
});
