import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
/** In CI the browser must be there; a newcomer without one skips these tests. */
const hasBrowser = process.env.CI !== undefined || existsSync(executablePath);

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

describe("the files of /docs", () => {
  it.each(["gzip", "identity"])("arrive whole as %s", async (encoding) => {
    const loads = (name: string) =>
      fetch(`${gateway.url}/docs/${name}`, { headers: { "accept-encoding": encoding } });
    const script = await loads("swagger-ui-bundle.js");
    expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(await script.text()).toContain("SwaggerUIBundle");
    const sheet = await loads("swagger-ui.css");
    expect(sheet.headers.get("content-type")).toBe("text/css; charset=utf-8");
    expect(await sheet.text()).toContain(".swagger-ui");
  });

  it.each(["package.json", "swagger-ui.js", "..%2Fmain.js", "toString", "swagger-ui.css%00"])(
    "are these alone: %s is not found",
    async (name) => {
      expect((await fetch(`${gateway.url}/docs/${name}`)).status).toBeGreaterThanOrEqual(400);
    },
  );
});

describe.skipIf(!hasBrowser)("the page /docs in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  });
  afterAll(() => browser?.close());

  it("shows every group of endpoints, calls one, and loads nothing from elsewhere", async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(120_000);
    const complaints: string[] = [];
    const origins = new Set<string>();
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("request", (request) => {
      if (!request.url().startsWith("data:")) origins.add(new URL(request.url()).origin);
    });
    await page.goto(`${gateway.url}/docs`);
    const document = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as { tags: object[] };
    await expect.poll(() => page.locator(".opblock-tag").count()).toBe(document.tags.length);

    await page.locator('.opblock-tag[data-tag="Health"]').click();
    const block = page.locator("#operations-Health-checkLiveliness");
    await block.locator(".opblock-summary-control").click();
    await block.getByRole("button", { name: "Execute" }).click();
    await block.getByText("I'm alive!").first().waitFor();
    expect(complaints).toEqual([]);
    expect([...origins]).toEqual([gateway.url]);

    await page.close();
  });
});
