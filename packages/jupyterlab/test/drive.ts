import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Page } from "playwright-core";
import { longNotebook, notebook } from "./documents.ts";
import { type Served, serveLab, serveLite, setSettings } from "./jupyter.ts";
import { PATIENCE_MS, screenshot } from "./page.ts";
import {
  checkMenu,
  editFile,
  formatInProject,
  formatLongNotebook,
  formatNotebook,
  IN_PROJECT,
  leaveOtherLanguage,
  leaveText,
  saveFormatted,
  saveNotebook,
} from "./steps.ts";

/** Opens a file in the page; `panel` is the selector of what shows it. */
type Open = (path: string, panel: string) => Promise<Page>;

const NOTEBOOK = ".jp-NotebookPanel";
const FILE = ".jp-FileEditor";

/**
 * Drives JupyterLab, and JupyterLite's site, with the extension.
 *
 * @param bin the programs of a Python environment that has them and the wheel
 * @param base an empty folder
 */
export async function drive(bin: string, base: string): Promise<void> {
  const [files, home] = ["files", "home"].map((name) => join(base, name)) as [string, string];
  for (const folder of [files, home]) mkdirSync(folder);
  writeFileSync(join(files, "book.ipynb"), notebook());
  writeFileSync(join(files, "long.ipynb"), longNotebook());
  writeFileSync(join(files, "julia.ipynb"), notebook("julia"));
  writeFileSync(join(files, "module.py"), "x = { 'a':1 }\n");
  writeFileSync(join(files, "notes.txt"), "x = { 'a':1 }\n");
  mkdirSync(join(files, "project/deep"), { recursive: true });
  writeFileSync(join(files, "project/pyproject.toml"), "[tool.black]\nline-length = 20\n");
  writeFileSync(join(files, "project/deep/module.py"), IN_PROJECT);
  const read = (name: string): string => readFileSync(join(files, name), "utf8");

  await withPages("JupyterLite", await serveLite(bin, files, home), async (open) => {
    await formatNotebook(await open("book.ipynb", NOTEBOOK));
    await editFile(await open("module.py", FILE));
    await formatInProject(await open("project/deep/module.py", FILE));
  });
  await withPages("JupyterLab", await serveLab(bin, files, home), async (open) => {
    const page = await open("book.ipynb", NOTEBOOK);
    await formatNotebook(page);
    await checkMenu(page);
    await saveNotebook(page, () => read("book.ipynb"));
    await formatLongNotebook(await open("long.ipynb", NOTEBOOK));
    await leaveOtherLanguage(await open("julia.ipynb", NOTEBOOK));
    await editFile(await open("module.py", FILE), () => read("module.py"));
    await leaveText(await open("notes.txt", FILE));
    await formatInProject(await open("project/deep/module.py", FILE));
    setSettings(home, "jetblack-jupyterlab/plugin", { formatOnSave: true, lineLength: 20 });
    await saveFormatted(await open("module.py", FILE), () => read("module.py"));
  });
}

async function withPages(name: string, served: Served, use: (open: Open) => Promise<void>): Promise<void> {
  process.stdout.write(`${name}:\n`);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  let page: Page | undefined;
  const open: Open = async (path, panel) => {
    await page?.close();
    page = await browser.newPage({ viewport: { width: 1280, height: 1400 }, serviceWorkers: "block" });
    page.setDefaultTimeout(PATIENCE_MS);
    // A notebook whose kernel is not here can be edited all the same.
    await page.addLocatorHandler(page.locator(".jp-Dialog"), async (dialog) => {
      await dialog.getByRole("button", { name: "No Kernel" }).click();
    });
    await page.goto(served.addressOf(path));
    await page.locator(`${panel} .cm-content`).first().waitFor();
    return page;
  };
  try {
    await use(open);
  } catch (error) {
    if (page !== undefined) await screenshot(page, `failure in ${name}`);
    throw error;
  } finally {
    await browser.close();
    await served.close();
  }
}
