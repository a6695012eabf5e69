import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
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
  server = await preview({
    root,
    configFile: false,
    logLevel: "error",
    build: { outDir: folder },
    preview: { port: 0, host: "127.0.0.1" },
  });
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

/** A loaded machine takes its time. */
const patience = { timeout: 120_000 };

const result = (): Promise<string> => page.locator("#result").innerText();

describe.skipIf(!hasBrowser)("The playground", () => {
  it("formats as one types", async () => {
    await page.locator("#source").fill("x = { 'a':1 }");
    await expect.poll(result, patience).toBe('x = {"a": 1}\n');
    await expect.poll(() => page.locator("#status").innerText(), patience).toContain("26.10.1");
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
    await expect
      .poll(() => page.locator("#status").innerText(), patience)
      .toMatch(/^Line 1, column \d+: .*\nx = = 1\n +\^$/);
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
