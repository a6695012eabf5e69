import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
/** In CI the browser must be there; a newcomer without one skips these tests. */
const hasBrowser = process.env.CI !== undefined || existsSync(executablePath);

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Each page by its name in the menu, and what it shows once it is there. */
const PAGES = {
  Overview: "claude-sonnet-4-5",
  Requests: "anthropic_messages",
  Sessions: "a-session",
  Models: "healthy",
  Keys: "console-test",
  Teams: "core team",
  Users: "ann@example.com",
  Batches: "completed",
  Videos: "sora-2",
  Agents: "writes short texts",
  Playground: "curl",
  Configuration: "There is no configuration file",
  "Audit log": "VerificationToken",
} as const;

/** The dialogs, by the button that opens each and its page. */
const DIALOGS = [
  ["requests", "Show the details of"],
  ["models", "Add a deployment"],
  ["keys", "Create a key"],
  ["keys", "Edit console-test"],
  ["teams", "Create a team"],
  ["teams", "Delete core team"],
  ["users", "Create a user"],
  ["users", "Delete ann"],
  ["agents", "Talk to writer"],
  ["agents", "Card of writer"],
  ["videos", "Delete video_"],
  ["audit", "Show the change at"],
] as const;

/** Bytes, compressed, of all that comes before the first page is there. */
const MAX_FIRST_PAGE = 300_000;

/** What a stored script would look like in any field that others fill. */
const SCRIPT = `"><img src=x onerror="window.attacked=1"><script>window.attacked=1</script>`;

/** A batch of two messages, which the gateway runs. */
async function startBatch(gateway: TestGateway): Promise<void> {
  const messages = [{ role: "user", content: "hi" }];
  const rows = ["a", "b"].map((custom_id) =>
    JSON.stringify({
      custom_id,
      method: "POST",
      url: "/v1/chat/completions",
      body: { model: "claude-sonnet-4-5", max_tokens: 10, messages },
    }),
  );
  const form = new FormData();
  form.append("purpose", "batch");
  form.append("file", new Blob([rows.join("\n")]), "rows.jsonl");
  const file = (await (await gateway.call("/v1/files", { body: form })).json()) as { id: string };
  const answer = await gateway.call("/v1/batches", {
    body: { input_file_id: file.id, endpoint: "/v1/chat/completions", completion_window: "24h" },
  });
  expect(answer.status).toBe(200);
}

describe.skipIf(!hasBrowser)("The console in a browser", () => {
  let gateway: TestGateway;
  let browser: Browser;
  beforeAll(async () => {
    gateway = await startTestGateway();
    await gateway.call("/key/generate", { body: { key_alias: "console-test", max_budget: 5 } });
    await gateway.call("/key/generate", { body: { key_alias: SCRIPT, user_id: SCRIPT } });
    await gateway.call("/team/new", { body: { team_alias: "core team" } });
    await gateway.call("/team/new", { body: { team_alias: SCRIPT } });
    await gateway.call("/user/new", { body: { user_id: "ann", user_email: "ann@example.com" } });
    const body = { model: "claude-sonnet-4-5", max_tokens: 10, messages: [{ role: "user", content: "hi" }] };
    for (const session of ["a-session", SCRIPT])
      await gateway.call("/v1/messages", { body, headers: { "x-portico-session-id": session } });
    await gateway.call("/v1/messages", { body: { ...body, model: SCRIPT } });
    await startBatch(gateway);
    await gateway.call("/v1/videos", { body: { model: "sora-2", prompt: "A cat." } });
    for (const agent_name of ["writer", SCRIPT])
      await gateway.call("/v1/agents", {
        body: {
          agent_name,
          agent_card_params: { name: agent_name, description: `${agent_name} writes short texts` },
          gateway_params: { model: "claude-sonnet-4-5", instructions: SCRIPT },
        },
      });
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });

  /** A page on which everything that the browser complains about is noted. */
  async function open(
    options: Parameters<Browser["newContext"]>[0] = {},
  ): Promise<{ context: BrowserContext; page: Page; complaints: string[] }> {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const complaints: string[] = [];
    page.on("console", (message) => {
      // Nobody is signed in when the page first asks.
      const isFirst = message.location().url.endsWith("/ui/session");
      if (["error", "warning"].includes(message.type()) && !isFirst) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("request", (request) => {
      const { origin } = new URL(request.url());
      if (!request.url().startsWith("data:") && origin !== gateway.url) complaints.push(request.url());
    });
    await page.goto(`${gateway.url}/ui/`);
    return { context, page, complaints };
  }

  async function signIn(page: Page): Promise<void> {
    await page.getByLabel("Gateway key").first().fill(gateway.masterKey);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Overview" }).waitFor();
  }

  /** What axe finds, by its rules for WCAG 2.2 AA. */
  async function findings(page: Page): Promise<string[]> {
    // The policy of the page lets no script in; the debugger's way does not ask it.
    await page.evaluate(axe);
    const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
      "axe.run()",
    );
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
  }

  it.each([
    { name: "light", options: { colorScheme: "light" as const } },
    { name: "dark", options: { colorScheme: "dark" as const } },
    {
      name: "360 pixels wide",
      options: { viewport: { width: 360, height: 740 }, colorScheme: "light" as const },
    },
  ])("has every page in order, $name", async ({ options }) => {
    const { context, page, complaints } = await open(options);
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    expect(await findings(page)).toEqual([]);
    await signIn(page);
    for (const [name, shown] of Object.entries(PAGES)) {
      const menu = page.getByRole("button", { name: "Menu" });
      if (await menu.isVisible()) await menu.click();
      await page.getByRole("link", { name, exact: true }).click();
      await page.getByRole("heading", { name, level: 1 }).waitFor();
      await page.getByText(shown).first().waitFor({ state: "attached" });
      await expect.poll(() => page.getByRole("status", { name: "Reading" }).count()).toBe(0);
      await expect.poll(() => findings(page), { message: name, timeout: 30_000 }).toEqual([]);
      // Nothing is wider than the window but tables, which scroll by themselves.
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    }
    expect(await page.evaluate("window.attacked")).toBeUndefined();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it.each(["light", "dark"] as const)("has every dialog in order, %s", async (colorScheme) => {
    const { context, page, complaints } = await open({ colorScheme });
    await signIn(page);
    for (const [path, name] of DIALOGS) {
      await page.goto(`${gateway.url}/ui/#/${path}`);
      await page.getByRole("button", { name }).first().click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Close" }).waitFor();
      await expect.poll(() => findings(page), { message: name, timeout: 30_000 }).toEqual([]);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    }
    expect(await page.evaluate("window.attacked")).toBeUndefined();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("makes a key by the keyboard alone, which then works", async () => {
    const { context, page } = await open();
    await signIn(page);
    await page.goto(`${gateway.url}/ui/#/keys`);
    const create = page.getByRole("button", { name: "Create a key" });
    await create.waitFor();
    await create.focus();
    await page.keyboard.press("Enter");
    // The first field of the form has the focus when the form is there.
    await page.getByRole("dialog").locator("input:focus").waitFor();
    await page.keyboard.type("by-keyboard");
    await page.keyboard.press("Enter");
    const secret = await page.locator("pre", { hasText: /^sk-/ }).textContent();
    const answer = await gateway.call("/ui/session", { method: "GET", key: secret! });
    expect(await answer.json()).toMatchObject({ key_name: "by-keyboard" });
    await context.close();
  });

  it("streams an answer in the playground, in each wire format", async () => {
    const { context, page, complaints } = await open();
    await signIn(page);
    await page.goto(`${gateway.url}/ui/#/playground`);
    await page.getByLabel("Model").and(page.locator("input")).fill("claude-sonnet-4-5");
    await page.keyboard.press("Escape");
    for (const format of ["Chat", "Messages", "Responses"]) {
      await page.getByText(format, { exact: true }).click();
      await page.getByRole("button", { name: "Send" }).click();
      await expect.poll(() => page.getByRole("region", { name: "Answer" }).textContent()).not.toBe("");
    }
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("shows how far a batch is, and saves its results", async () => {
    const { context, page, complaints } = await open();
    await signIn(page);
    await page.goto(`${gateway.url}/ui/#/batches`);
    await page.getByText("completed").first().waitFor();
    expect(await page.getByText("2 of 2").count()).toBe(1);
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save results of" }).click();
    const results = readFileSync(await (await saving).path(), "utf8")
      .trim()
      .split("\n");
    expect(results.map((line) => (JSON.parse(line) as { custom_id: string }).custom_id).sort()).toEqual([
      "a",
      "b",
    ]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("talks to an agent, whose words are text alone", async () => {
    const { context, page, complaints } = await open();
    await signIn(page);
    await page.goto(`${gateway.url}/ui/#/agents`);
    await page.getByRole("button", { name: "Talk to writer" }).click();
    for (const [turn, words] of ["A haiku about rain.", SCRIPT].entries()) {
      await page.getByLabel("Message").fill(words);
      await page.getByRole("button", { name: "Send" }).click();
      await expect.poll(() => page.getByRole("log").locator("> *").count()).toBe(2 * (turn + 1));
    }
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Card of writer" }).click();
    await page.getByText("protocolVersion").waitFor();
    expect(await page.evaluate("window.attacked")).toBeUndefined();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("signs out, and then shows nothing", async () => {
    const { context, page } = await open();
    await signIn(page);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    expect((await context.cookies()).filter(({ name }) => name === "portico_console")).toEqual([]);
    await context.close();
  });

  it("is small: what comes before the first page", async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const sizes: Promise<{ responseBodySize: number }>[] = [];
    page.on("requestfinished", (request) => {
      if (/^\/ui\/($|assets\/)/.test(new URL(request.url()).pathname)) sizes.push(request.sizes());
    });
    await page.goto(`${gateway.url}/ui/`);
    await signIn(page);
    await page.getByText("claude-sonnet-4-5").first().waitFor();
    await page.waitForLoadState("networkidle");
    const bytes = (await Promise.all(sizes)).reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(MAX_FIRST_PAGE);
    await context.close();
  });
});
