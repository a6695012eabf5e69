import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PAGES, type PageTitle } from "../../console/src/page-table.ts";
import {
  findings,
  hasBrowser,
  hasFocus,
  openConsole,
  press,
  SCRIPT,
  signIn,
  startBrowser,
  tabAround,
  tabTo,
} from "./support/console-browser.ts";
import { fillConsole } from "./support/console-traffic.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

/** Where the pictures go; else to a folder that is removed. */
const SCREENSHOTS = process.env.CONSOLE_SCREENSHOTS;

interface Visit {
  /** What the page shows once it is there. */
  readonly shows: string;
  /** Names of the buttons that each open a dialog, a drawer or a menu; `menu > item` opens one by a menu. */
  readonly opens: readonly string[];
}

/** A page without a row here does not compile. */
const VISITS: Readonly<Record<PageTitle, Visit>> = {
  Overview: { shows: "claude-sonnet-4-5", opens: [] },
  Requests: { shows: "anthropic_messages", opens: ["Show the details of"] },
  Sessions: { shows: "a-session", opens: [] },
  Models: { shows: "healthy", opens: ["Add a deployment", "Edit stored", "Delete stored"] },
  Keys: {
    shows: "console-test",
    opens: [
      "Create a key",
      "Edit console-test",
      "More for console-test > Raise the budget for a day",
      "More for console-test > Rotate",
      "More for console-test > Delete",
    ],
  },
  Teams: {
    shows: "core team",
    opens: ["Create a team", "Edit core team", "Raise core team", "Delete core team"],
  },
  Users: { shows: "ann@example.com", opens: ["Create a user", "Edit ann", "Raise ann", "Delete ann"] },
  Budgets: { shows: "monthly", opens: ["Create a budget", "Edit monthly", "Delete monthly"] },
  Batches: { shows: "completed", opens: [] },
  Videos: { shows: "sora-2", opens: ["Delete video_"] },
  Agents: { shows: "writes short texts", opens: ["Talk to writer", "Card of writer"] },
  Playground: { shows: "curl", opens: [] },
  Configuration: { shows: "What the file changes", opens: [] },
  "Audit log": { shows: "VerificationToken", opens: ["Show the change at"] },
};

type Scheme = "light" | "dark";

describe.skipIf(!hasBrowser)("The console, by keyboard alone", () => {
  let simulator: Simulator;
  let gateway: TestGateway;
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    simulator = await startSimulator();
    gateway = await startTestGateway({ config: config(simulator.url) });
    await fillConsole(gateway);
    gateway.writeConfig(`${config(simulator.url)}router_settings: {num_retries: many}\n`);
    await until(
      async () => await (await gateway.call("/ui/configuration", { method: "GET" })).text(),
      (text) => text.includes("rejected"),
    );
    folder = SCREENSHOTS ?? mkdtempSync(join(tmpdir(), "portico-screens-"));
    mkdirSync(folder, { recursive: true });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
    await simulator?.close();
    if (SCREENSHOTS === undefined) rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    { name: "wide", schemes: ["light", "dark"], viewport: { width: 1280, height: 800 } },
    { name: "360", schemes: ["light"], viewport: { width: 360, height: 740 } },
  ] as const)("has every page and dialog in order, $name", async ({ name, schemes, viewport }) => {
    const { context, page, complaints } = await openConsole(browser, gateway, {
      viewport,
      colorScheme: "light",
    });
    const walk = new Walk(page, join(folder, name), schemes);
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    await walk.look("Sign in");
    await signIn(page, gateway.masterKey);
    for (const { title } of PAGES) {
      const { shows, opens } = VISITS[title];
      await walk.goTo(title);
      await page.getByText(shows).first().waitFor({ state: "attached" });
      await walk.look(title);
      for (const each of opens) await walk.open(each, `${title}, ${each}`);
      await tabAround(page);
    }
    await walk.skip();
    await walk.audit();
    await walk.members();
    await walk.session();
    await walk.playground();
    await walk.agent();
    await walk.search();
    expect(await page.evaluate("window.attacked")).toBeUndefined();
    expect(complaints).toEqual([]);
    await context.close();
  });
});

const config = (url: string): string => `model_list:
  - {model_name: claude-sonnet-4-5, litellm_params: {model: anthropic/claude-sonnet-4-5, api_key: k, api_base: "${url}/anthropic"}}
  - {model_name: sora-2, litellm_params: {model: openai/sora-2, api_key: k, api_base: "${url}/openai/v1"}}
`;

/** A person without a mouse. */
class Walk {
  readonly #page: Page;
  readonly #place: string;
  readonly #schemes: readonly Scheme[];

  /** @param place what the names of the pictures begin with */
  constructor(page: Page, place: string, schemes: readonly Scheme[]) {
    this.#page = page;
    this.#place = place;
    this.#schemes = schemes;
  }

  /** Everything that is to hold of what is shown now, in each scheme of colors, and a picture of it. */
  async look(name: string): Promise<void> {
    const page = this.#page;
    await expect.poll(() => page.getByRole("status", { name: "Reading" }).count()).toBe(0);
    for (const scheme of this.#schemes) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor();
      const isAgain = scheme !== this.#schemes[0];
      await expect.poll(() => findings(page, isAgain), { message: `${name}, ${scheme}` }).toEqual([]);
      const path = `${this.#place}-${scheme}-${name.replaceAll(/[^\w-]+/g, "-")}.png`;
      await page.screenshot({ path });
      expect(statSync(path).size, name).toBeGreaterThan(1000);
    }
    if (this.#schemes.length > 1) await page.emulateMedia({ colorScheme: this.#schemes[0]! });
    // Nothing is wider than the window but tables, which scroll by themselves.
    const tooWide = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
    expect(tooWide, name).toBeLessThanOrEqual(0);
  }

  async goTo(title: PageTitle): Promise<void> {
    const page = this.#page;
    const menu = page.getByRole("button", { name: "Menu" });
    if ((await menu.isVisible()) && (await menu.getAttribute("aria-expanded")) !== "true")
      await press(page, menu);
    await press(page, page.getByRole("link", { name: title, exact: true }));
    await page.getByRole("heading", { name: title, level: 1 }).waitFor();
  }

  /** Opens what a button opens, looks at it, and closes it: the focus goes in, stays in, and comes back. */
  async open(name: string, picture: string, within?: () => Promise<void>): Promise<void> {
    const page = this.#page;
    const [button = "", item] = name.split(" > ");
    const opener = page.getByRole("button", { name: button }).first();
    await press(page, opener);
    if (item !== undefined) {
      const entry = page.getByRole("menuitem", { name: item });
      await entry.waitFor();
      // An arrow that is pressed before the menu has the focus is lost.
      const arrow = async (): Promise<boolean> => {
        if (!(await hasFocus(entry))) await page.keyboard.press("ArrowDown");
        return hasFocus(entry);
      };
      await expect.poll(arrow, { message: name }).toBe(true);
      await page.keyboard.press("Enter");
    }
    const dialog = page.getByRole("dialog").filter({ has: page.getByRole("button", { name: "Close" }) });
    await dialog.getByRole("button", { name: "Close" }).waitFor();
    const isWithin = (): Promise<boolean> =>
      page.evaluate("document.activeElement.closest('[role=dialog]') !== null");
    await expect.poll(isWithin, { message: name }).toBe(true);
    await within?.();
    await this.look(picture);
    await tabAround(page);
    expect(await isWithin(), `the focus stays within ${name}`).toBe(true);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => hasFocus(opener), { message: `the focus after ${name}` }).toBe(true);
  }

  /** Past the menu with the first stop of Tab. */
  async skip(): Promise<void> {
    const page = this.#page;
    await this.goTo("Keys");
    await page.reload();
    await page.getByRole("button", { name: "Create a key" }).waitFor();
    const link = page.getByRole("link", { name: "Skip to content" });
    await page.keyboard.press("Tab");
    expect(await hasFocus(link)).toBe(true);
    await this.look("Skip to content");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await hasFocus(page.getByRole("button", { name: "Create a key" }))).toBe(true);
  }

  /** Who changed what: the address says which changes are looked for. */
  async audit(): Promise<void> {
    const page = this.#page;
    await this.goTo("Audit log");
    await tabTo(page, page.getByLabel("Who"));
    await page.keyboard.type("nobody");
    await page.getByText("No change matches.").waitFor();
    expect(page.url()).toContain("changed_by=nobody");
    for (const _ of "nobody") await page.keyboard.press("Backspace");
    await page.getByRole("cell", { name: "VerificationToken" }).first().waitFor();
    await page.goto(`${page.url().replace(/#.*/, "")}#/audit?table_name=LiteLLM_TeamTable&action=created`);
    await page.getByRole("cell", { name: "TeamTable" }).first().waitFor();
    await expect.poll(() => page.getByRole("cell", { name: "VerificationToken" }).count()).toBe(0);
    await this.look("Changes of teams");
  }

  async members(): Promise<void> {
    const page = this.#page;
    await this.goTo("Teams");
    await press(page, page.getByRole("link", { name: "Members of core team" }));
    await page.getByRole("heading", { name: "Members of core team" }).waitFor();
    await page.getByRole("cell", { name: "ann", exact: true }).waitFor();
    await this.look("Members");
    for (const each of ["Add a member", "Edit ann", "Remove ann"]) await this.open(each, `Members, ${each}`);
  }

  async session(): Promise<void> {
    const page = this.#page;
    await this.goTo("Sessions");
    await press(page, page.getByRole("link", { name: "Turns of a-session" }));
    await page.getByRole("heading", { name: "Session", level: 1 }).waitFor();
    await page.getByText("Bash × 2").first().waitFor();
    await this.look("One session");
    await this.open("Show the details of", "One turn");
  }

  /** An answer in each wire format, and the call as code in each language. */
  async playground(): Promise<void> {
    const page = this.#page;
    await this.goTo("Playground");
    const answer = page.getByRole("region", { name: "Answer" });
    for (const format of ["Chat", "Messages", "Responses"]) {
      await this.#choose(format);
      await press(page, page.getByRole("button", { name: "Send" }));
      await expect.poll(() => answer.textContent(), { message: format }).toMatch(/\w/);
      await page.getByRole("button", { name: "Send", disabled: false }).waitFor();
      await this.look(`Playground, ${format}`);
    }
    await tabTo(page, page.getByRole("tab", { name: "curl" }));
    for (const language of ["TypeScript", "Python"]) {
      await page.keyboard.press("ArrowRight");
      await page.getByRole("tabpanel", { name: language }).waitFor();
      await this.look(`Playground, ${language}`);
    }
  }

  /** A wire format of the playground, by the arrows. */
  async #choose(format: string): Promise<void> {
    const page = this.#page;
    const formats = page.getByRole("radiogroup", { name: "Wire format" });
    await tabTo(page, formats.locator("input:checked"));
    const choice = formats.getByRole("radio", { name: format });
    for (let steps = 0; !(await choice.isChecked()); steps += 1) {
      expect(steps, format).toBeLessThan(3);
      await page.keyboard.press("ArrowRight");
    }
  }

  async agent(): Promise<void> {
    const page = this.#page;
    await this.goTo("Agents");
    await this.open("Talk to writer", "A talk", async () => {
      const words = page.getByRole("textbox", { name: "Message" });
      await tabTo(page, words);
      await page.keyboard.insertText(SCRIPT);
      await press(page, page.getByRole("button", { name: "Send" }));
      const turns = page.getByRole("log").locator("> *");
      await expect.poll(() => turns.count()).toBe(2);
      // Whoever talks goes on talking.
      await expect.poll(() => hasFocus(words)).toBe(true);
      await page.keyboard.insertText("And now?");
      await page.keyboard.press("Control+Enter");
      await expect.poll(() => turns.count()).toBe(4);
    });
  }

  /** The address says what is shown, so that it can be sent to somebody. */
  async search(): Promise<void> {
    const page = this.#page;
    await this.goTo("Requests");
    await tabTo(page, page.getByLabel("Search"));
    await page.keyboard.type("bash nightly a-session");
    const details = page.getByRole("button", { name: "Show the details of" });
    await expect.poll(() => page.url()).toContain("search=bash+nightly+a-session");
    await expect.poll(() => details.count()).toBe(1);
    await page.reload();
    await expect.poll(() => details.count()).toBe(1);
    expect(await page.getByLabel("Search").inputValue()).toBe("bash nightly a-session");
    await this.look("A search");
  }
}
