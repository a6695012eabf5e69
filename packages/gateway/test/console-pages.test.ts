import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  findings,
  hasBrowser,
  openConsole,
  SCRIPT,
  signIn,
  startBrowser,
} from "./support/console-browser.ts";
import { fillConsole } from "./support/console-traffic.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

/** Bytes, compressed, of all that comes before the first page is there. */
const MAX_FIRST_PAGE = 300_000;

/** A picture of one dot. */
const DOT = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

describe.skipIf(!hasBrowser)("The console in a browser", () => {
  let gateway: TestGateway;
  let browser: Browser;
  beforeAll(async () => {
    gateway = await startTestGateway();
    await fillConsole(gateway);
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });

  const open = () => openConsole(browser, gateway);

  it("makes a key by the keyboard alone, which then works", async () => {
    const { context, page } = await open();
    await signIn(page, gateway.masterKey);
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

  it("tells newcomers where the master key is, that there is no key yet, and how a model may be called", async () => {
    const fresh = await startTestGateway({});
    const { context, page } = await open();
    await page.goto(`${fresh.url}/ui`);
    await page.getByText("the file master-key in the data directory").waitFor();
    await page.getByLabel("Gateway key").fill(fresh.masterKey);
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Keys" }).click();
    await page.getByText("There is no key yet.").waitFor();
    await page.getByLabel("Alias").fill("nobody");
    await page.getByText("There is no such key.").waitFor();
    await page.getByRole("link", { name: "Playground" }).click();
    await page.getByPlaceholder("a name such as").waitFor();
    await context.close();
    await fresh.close();
  });

  it("streams an answer in the playground, in each wire format", async () => {
    const { context, page, complaints } = await open();
    await signIn(page, gateway.masterKey);
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

  it("sends an image and a tool in each wire format, and shows the tool's call", async () => {
    const { context, page, complaints } = await open();
    await signIn(page, gateway.masterKey);
    await page.goto(`${gateway.url}/ui/#/playground`);
    await page.getByLabel("Model").and(page.locator("input")).fill("claude-sonnet-4-5");
    await page.keyboard.press("Escape");
    const image = { name: "dot.png", mimeType: "image/png", buffer: DOT };
    await page.locator("input[type=file]").setInputFiles(image);
    await page.getByRole("button", { name: "Add an example tool" }).click();
    await page.getByRole("textbox", { name: "Message" }).fill('[[sim:tool get_weather {"city":"Rome"}]]');
    const answer = page.getByRole("region", { name: "Answer" });
    for (const format of ["Chat", "Messages", "Responses"]) {
      await page.getByText(format, { exact: true }).click();
      const sent = page.waitForRequest((request) => request.method() === "POST");
      await page.getByRole("textbox", { name: "Message" }).press("Control+Enter");
      expect((await sent).postData()).toContain(DOT.toString("base64"));
      await expect.poll(() => answer.textContent(), { message: format }).toMatch(/get_weather \{.*Rome/);
      await page.getByRole("button", { name: "Stop", disabled: true }).waitFor();
    }
    await page.getByText("<base64 of dot.png>").waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("shows how far a batch is, and saves its results", async () => {
    const { context, page, complaints } = await open();
    await signIn(page, gateway.masterKey);
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
    await signIn(page, gateway.masterKey);
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

  it("offers a plain key what its role may, and no more", async () => {
    const { context, page, complaints } = await open();
    const answer = await gateway.call("/key/generate", { body: { key_alias: "plain" } });
    await signIn(page, ((await answer.json()) as { key: string }).key);
    const main = page.getByRole("main");
    const buttons = (name: RegExp) => main.getByRole("button", { name }).count();
    await page.goto(`${gateway.url}/ui/#/teams`);
    await page.getByText("There is no team yet.").waitFor();
    expect(await buttons(/./)).toBe(0);
    await page.goto(`${gateway.url}/ui/#/models`);
    await page.getByText("the gateway's store").first().waitFor();
    expect(await buttons(/^(Add|Edit|Delete)/)).toBe(0);
    await page.goto(`${gateway.url}/ui/#/keys`);
    await page.getByRole("button", { name: "More for plain" }).click();
    await page.getByRole("menuitem", { name: "Rotate" }).waitFor();
    expect(await page.getByRole("menuitem").allTextContents()).toEqual(["Requests", "Rotate", "Delete"]);
    expect(await buttons(/Create/)).toBe(0);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Edit plain" }).click();
    expect(await page.getByRole("dialog").getByRole("textbox").count()).toBe(1);
    await page.getByRole("dialog").getByLabel("Alias").fill("renamed");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Edit renamed" }).waitFor();
    for (const title of ["Users", "Configuration", "Audit log"])
      expect(await page.getByRole("link", { name: title }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("goes on with the new text of the key that is signed in with", async () => {
    const { context, page, complaints } = await open();
    const answer = await gateway.call("/key/generate", { body: { key_alias: "mine" } });
    await signIn(page, ((await answer.json()) as { key: string }).key);
    await page.goto(`${gateway.url}/ui/#/keys`);
    await page.getByRole("button", { name: "More for mine" }).click();
    await page.getByRole("menuitem", { name: "Rotate" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
    const shown = page.locator("pre", { hasText: /^sk-/ });
    const secret = await shown.textContent();
    // The list is there again, read with the new text, and the text is still shown.
    await page.keyboard.press("Escape");
    await page.waitForLoadState("networkidle");
    expect(await shown.textContent()).toBe(secret);
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: "I have it" }).click();
    await page.reload();
    await page.getByRole("button", { name: "More for mine" }).waitFor();
    expect((await gateway.call("/ui/session", { method: "GET", key: secret! })).status).toBe(200);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("raises a team and a user for a day", async () => {
    const { context, page, complaints } = await open();
    await signIn(page, gateway.masterKey);
    for (const [path, name, budget] of [
      ["teams", "core team", "$20.00"],
      ["users", "ann", "$3.00"],
    ]) {
      await page.goto(`${gateway.url}/ui/#/${path}`);
      await page.getByRole("button", { name: `Raise ${name}`, exact: true }).click();
      await page.getByLabel("Dollars more").fill("7");
      await page.getByRole("dialog").getByRole("button", { name: "Raise" }).click();
      await page.getByText(/\$7\.00 more until/).waitFor();
      expect(await page.getByRole("cell", { name: budget! }).count()).toBe(1);
    }
    expect(complaints).toEqual([]);
    await context.close();
  });

  it.each([
    { path: "teams", thing: "team", name: "Name", label: "lent" },
    { path: "users", thing: "user", name: "E-mail", label: "lent@example.com" },
  ])("gives a $thing a budget by its name or of its own, and tells which one holds", async (given) => {
    const { path, thing, name, label } = given;
    const { context, page, complaints } = await open();
    await signIn(page, gateway.masterKey);
    await page.goto(`${gateway.url}/ui/#/${path}`);
    const dialog = page.getByRole("dialog");
    const named = dialog.getByLabel("Budget by name").and(page.locator("input"));
    const row = page.getByRole("row").filter({ hasText: label });
    const submit = async (button: string): Promise<void> => {
      await dialog.getByRole("button", { name: button, exact: true }).click();
      await dialog.waitFor({ state: "detached" });
    };
    await page.getByRole("button", { name: `Create a ${thing}` }).click();
    await dialog.getByLabel(name, { exact: true }).fill(label);
    // What was written and taken back is as if it had never been said.
    await dialog.getByLabel("Budget resets every").fill("1d");
    await dialog.getByLabel("Budget resets every").fill("");
    await named.click();
    await page.getByRole("option", { name: "monthly" }).click();
    await dialog.getByRole("button", { name: "Create", exact: true }).click();
    // A new user has a key, which is shown once.
    if (thing === "user") await dialog.getByRole("button", { name: "I have it" }).click();
    await dialog.waitFor({ state: "detached" });
    await row.getByText("$50.00 per 1mo, by monthly").waitFor();
    await row.getByRole("button", { name: "Raise" }).click();
    await dialog.getByLabel("Dollars more").fill("7");
    await submit("Raise");
    await row.getByText(/by monthly, \$7\.00 more until/).waitFor();
    await row.getByRole("button", { name: "Edit" }).click();
    await dialog.getByLabel("Budget in dollars").fill("9");
    await submit("Save");
    await row.getByText("$9.00 per 1mo, in place of $50.00 by monthly").waitFor();
    await row.getByRole("button", { name: "Edit" }).click();
    // Whoever chooses what is chosen takes it back.
    await named.click();
    await page.getByRole("option", { name: "monthly" }).click();
    await submit("Save");
    await row.getByText(/^\$9\.00, \$7\.00 more/).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("puts somebody into a team, gives them a role and a budget, and takes them out", async () => {
    const { context, page, complaints } = await open();
    await signIn(page, gateway.masterKey);
    await page.goto(`${gateway.url}/ui/#/teams`);
    await page.getByRole("link", { name: "Members of core team" }).click();
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Add a member" }).click();
    await dialog.getByLabel("User's id").fill("bob");
    await dialog.getByLabel("Budget in the team").fill("4");
    await dialog.getByRole("button", { name: "Create" }).click();
    const row = page.getByRole("row").filter({ hasText: "bob" });
    await row.getByText("$4.00").waitFor();
    expect(await row.getByRole("cell", { name: "user", exact: true }).count()).toBe(1);
    await page.getByRole("button", { name: "Edit bob" }).click();
    await dialog.getByLabel("Role").and(page.locator("input")).click();
    await page.getByRole("option", { name: "admin" }).click();
    await dialog.getByRole("button", { name: "Save" }).click();
    await row.getByRole("cell", { name: "admin" }).waitFor();
    await page.getByRole("button", { name: "Remove bob" }).click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await row.waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("exports every request that matches as CSV, and says how many", async () => {
    const { context, page, complaints } = await open();
    await signIn(page, gateway.masterKey);
    await page.goto(`${gateway.url}/ui/#/requests?session_id=a-session`);
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export as CSV" }).click();
    const lines = readFileSync(await (await saving).path(), "utf8").split("\r\n");
    expect(lines[0]).toMatch(/^request_id,api_key,.*,metadata,tools,failed_tries,fallbacks$/);
    // A head, two rows and the end.
    expect(lines.length).toBe(4);
    await page.getByText("Exported all 2 rows that match.").waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("signs out, and then shows nothing", async () => {
    const { context, page } = await open();
    await signIn(page, gateway.masterKey);
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
    await signIn(page, gateway.masterKey);
    await page.getByText("claude-sonnet-4-5").first().waitFor();
    await page.waitForLoadState("networkidle");
    const bytes = (await Promise.all(sizes)).reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(MAX_FIRST_PAGE);
    await context.close();
  });
});
