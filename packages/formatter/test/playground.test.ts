import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { build, type PreviewServer, preview } from "vite";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../playground");
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** In CI the browser must be there; a newcomer without one skips these tests. */
const hasBrowser = process.env.CI !== undefined || existsSync(executablePath);

let folder = "";
let server: PreviewServer;
let browser: Browser;
let page: Page;
let url = "";

beforeAll(async () => {
  if (!hasBrowser) return;
  folder = mkdtempSync(join(tmpdir(), "jetblack-playground-"));
  await build({
    root,
    configFile: join(root, "vite.config.ts"),
    logLevel: "error",
    build: { outDir: folder },
  });
  server = await serve();
  url = server.resolvedUrls!.local[0]!;
  browser = await chromium.launch({ executablePath, args: flags });
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
  if (folder !== "") rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  if (!hasBrowser) return;
  await page?.close();
  page = await browser.newPage();
  await page.goto(url);
});

function serve(): Promise<PreviewServer> {
  return preview({
    root,
    configFile: false,
    logLevel: "error",
    build: { outDir: folder },
    preview: { port: 0, host: "127.0.0.1" },
  });
}

/** A loaded machine takes its time. */
const patience = { timeout: 120_000 };

const result = (): Promise<string> => page.locator("#result").innerText();
const status = (): Promise<string> => page.locator("#status").innerText();

const notebook = (...cells: string[]): string =>
  JSON.stringify({
    cells: cells.map((source) => ({
      cell_type: "code",
      execution_count: null,
      metadata: {},
      outputs: [],
      source,
    })),
    metadata: { language_info: { name: "python" } },
    nbformat: 4,
    nbformat_minor: 5,
  });

async function openFile(name: string, text: string | Buffer): Promise<void> {
  await page
    .locator("#file")
    .setInputFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(text) });
}

/** What people with impairments would stumble over, by the rules of axe-core. */
async function barriers(): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate<string[]>(
    "axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))",
  );
}

describe.skipIf(!hasBrowser)("The playground", () => {
  it("formats as one types", async () => {
    await page.locator("#source").fill("x = { 'a':1 }");
    await expect.poll(result, patience).toBe('x = {"a": 1}\n');
    await expect.poll(status, patience).toContain("26.10.1");
  });

  it("says that the result was checked, and what both took", async () => {
    await page.locator("#source").fill("x = { 'a':1 }");
    await expect
      .poll(status, patience)
      .toMatch(
        /^Formatted in .*ms, style of Black 26\.10\.1\.\nBlack's safety check passed in .*ms: the same syntax tree/,
      );
    await page.locator("#source").fill('x = {"a": 1}\n');
    await expect.poll(status, patience).toMatch(/^Already well formatted/);
    // It parses, and Python's own parser refuses it: nothing is shown as a result.
    await page.locator("#source").fill("return  1\nx = 0777\n");
    await expect.poll(() => page.locator("#result.stale").count(), patience).toBe(1);
    expect(await page.locator("#status.failed").count()).toBe(1);
  });

  it("formats a notebook that is opened as a file, cell by cell, and saves it", async () => {
    await openFile("a.ipynb", notebook("x  = 'a'", "%matplotlib  inline", "y = = 1", "%%bash\nls  -l"));
    await expect
      .poll(result, patience)
      .toBe(
        '# Cell 1\nx = "a"\n\n# Cell 2\n%matplotlib  inline\n\n# Cell 3\ny = = 1\n\n# Cell 4\n%%bash\nls  -l\n',
      );
    expect(await status()).toMatch(/1 cell stays as it is:\nCell 3: Line 1, column 5: .*\ny = = 1\n {4}\^$/);
    expect(await page.getByLabel("Kind").inputValue()).toBe("notebook");
    await page.getByRole("button", { name: "Difference" }).click();
    expect(await page.locator(".added").allInnerTexts()).toContain('+x = "a"\n');
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save result" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("formatted.ipynb");
    const saved = JSON.parse(readFileSync(await download.path(), "utf8"));
    expect(saved.cells.map((cell: { source: string | string[] }) => [cell.source].flat().join(""))).toEqual([
      'x = "a"',
      "%matplotlib  inline",
      "y = = 1",
      "%%bash\nls  -l",
    ]);
  });

  it("says what is wrong with a file that it cannot take", async () => {
    await openFile("a.ipynb", "no notebook");
    await expect.poll(() => page.locator("#status.failed").count(), patience).toBe(1);
    await openFile("b.py", Buffer.from([0xff, 0xfe, 0]));
    await expect.poll(status, patience).toBe("b.py cannot be read as UTF-8.");
  });

  it("tells stubs by the name of the file", async () => {
    await openFile("a.pyi", "class A: ...\n\nclass B: ...\n");
    await expect.poll(result, patience).toBe("class A: ...\nclass B: ...\n");
  });

  it("obeys its options", async () => {
    await page.locator("#source").fill("call(first_argument, second_argument, 'third')\n");
    await page.getByLabel("--line-length").fill("30");
    await page.getByLabel("--skip-string-normalization").check();
    await expect
      .poll(result, patience)
      .toBe("call(\n    first_argument,\n    second_argument,\n    'third',\n)\n");
  });

  it("shows the difference", async () => {
    await page.locator("#source").fill("x  = 1\n");
    await page.getByRole("button", { name: "Difference" }).click();
    await expect.poll(() => page.locator(".removed").last().innerText(), patience).toContain("-x  = 1");
    expect(await page.locator(".added").last().innerText()).toContain("+x = 1");
  });

  it("keeps the last result, dimmed, and shows the place of a syntax error", async () => {
    await page.locator("#source").fill("x  = 1\n");
    await expect.poll(result, patience).toBe("x = 1\n");
    await page.locator("#source").fill("x = = 1\n");
    await expect.poll(status, patience).toMatch(/^Line 1, column 5: .*\nx = = 1\n {4}\^$/);
    expect(await result()).toBe("x = 1\n");
    expect(await page.locator("#result.stale").count()).toBe(1);
    await page.locator("#source").fill("x  = 2\n");
    await expect.poll(result, patience).toBe("x = 2\n");
    expect(await page.locator("#result.stale").count()).toBe(0);
  });

  it("shares source and options by link", async () => {
    await page.locator("#source").fill("y  = '日本 🐍'\n");
    await page.getByLabel("--target-version").selectOption("py311");
    await page.getByLabel("--preview").check();
    await page.getByRole("button", { name: "Copy link" }).click();
    await expect.poll(() => new URL(page.url()).hash.length, patience).toBeGreaterThan(1);
    const other = await browser.newPage();
    await other.goto(page.url());
    await expect.poll(() => other.locator("#source").inputValue(), patience).toBe("y  = '日本 🐍'\n");
    expect(await other.getByLabel("--target-version").inputValue()).toBe("py311");
    expect(await other.getByLabel("--preview").isChecked()).toBe(true);
    await other.close();
  });

  it("keeps its address up to date without a click", async () => {
    await page.locator("#source").fill("later  = 1\n");
    const before = page.url();
    await expect.poll(() => page.url(), patience).not.toBe(before);
    await page.reload();
    await expect.poll(result, patience).toBe("later = 1\n");
  });

  it("shows the difference of a large source", async () => {
    const lines = 80_000;
    await page.getByRole("button", { name: "Difference" }).click();
    // As a paste does it; Playwright's own way of filling takes minutes for so much.
    await page.evaluate(
      `source.value = "x  = 1\\n".repeat(${lines}); source.dispatchEvent(new Event("input"))`,
    );
    const count = (): Promise<number> => page.locator(".added").count();
    await expect.poll(count, patience).toBe(lines + 1);
  });

  it("follows a link that is put into its address", async () => {
    await page.locator("#source").fill("first  = 1\n");
    const before = page.url();
    await expect.poll(() => page.url(), patience).not.toBe(before);
    const link = page.url();
    await page.locator("#source").fill("second  = 1\n");
    await expect.poll(result, patience).toBe("second = 1\n");
    await expect.poll(() => page.url(), patience).not.toBe(link);
    await page.evaluate(`location.href = ${JSON.stringify(link)}`);
    await expect.poll(result, patience).toBe("first = 1\n");
    expect(await page.locator("#source").inputValue()).toBe("first  = 1\n");
  });

  it.each(["light", "dark"] as const)(
    "has no barriers when it is %s, wide and narrow",
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme });
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 700 });
        await page.getByRole("button", { name: "Formatted" }).click();
        await page.locator("#source").fill("x  = 1\ny  = 2\n");
        await expect.poll(result, patience).toBe("x = 1\ny = 2\n");
        expect(await barriers()).toEqual([]);
        await page.getByRole("button", { name: "Difference" }).click();
        expect(await barriers()).toEqual([]);
        await page.locator("#source").fill(`x = = 1 # ${"long ".repeat(50)}`);
        await expect.poll(() => page.locator("#result.stale").count(), patience).toBe(1);
        expect(await barriers()).toEqual([]);
        expect(await page.evaluate("document.documentElement.scrollWidth > innerWidth")).toBe(false);
      }
    },
  );

  it("can be installed, and works when the network and its server are gone", async () => {
    const own = await serve();
    const context = await browser.newContext();
    try {
      const offline = await context.newPage();
      await offline.goto(own.resolvedUrls!.local[0]!);
      const tagline = (): Promise<string> => offline.locator("#style").innerText();
      await expect.poll(tagline, patience).toContain("without a network");
      const session = await context.newCDPSession(offline);
      const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
      // A context of Playwright's is a private window, from which nothing is installed.
      expect(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito")).toEqual([]);
      await own.close();
      await context.setOffline(true);
      await offline.reload();
      await offline.locator("#source").fill("x = { 'a':1 }");
      await expect.poll(() => offline.locator("#result").innerText(), patience).toBe('x = {"a": 1}\n');
    } finally {
      await context.close();
      await own.close();
    }
  });

  it("asks nobody but its own server", async () => {
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.reload();
    await page.locator("#source").fill("x  = 1\n");
    await expect.poll(result, patience).toBe("x = 1\n");
    expect(asked.filter((address) => !address.startsWith(url))).toEqual([]);
    const refused = await page.evaluate<string>(`new Promise((resolve) => {
      addEventListener("securitypolicyviolation", ({ violatedDirective }) => resolve(violatedDirective));
      fetch("https://example.invalid/").catch(() => undefined);
    })`);
    expect(refused).toBe("connect-src");
  });

  it("fits a narrow screen, and can be scrolled by keyboard", async () => {
    await page.setViewportSize({ width: 360, height: 700 });
    const wide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
    expect(wide).toBe(false);
    await page.locator("#result").focus();
    expect(await page.evaluate("document.activeElement.id")).toBe("result");
  });

  it("shows source as text, whatever it holds", async () => {
    await page.locator("#source").fill("x = '<img src=x onerror=document.title=1>'\n");
    await expect.poll(result, patience).toContain("<img src=x");
    expect(await page.locator("#result img").count()).toBe(0);
  });

  it("starts afresh on a broken link", async () => {
    await page.goto(`${url}#not-a-state`);
    await page.reload();
    await expect.poll(result, patience).toContain("def greet(");
  });
});
