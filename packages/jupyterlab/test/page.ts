import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { expectSame, say } from "../../formatter/conformance/expect-same.ts";

/** What people do in JupyterLab's page. */

/** A loaded machine takes its time. */
export const PATIENCE_MS = Number(process.env.PATIENCE_MS ?? 120_000);

/** Where screenshots go, if somewhere. */
const screenshots = process.argv[2];

/** The text of an editor: a cell's or a file's. */
async function textOf(editor: Locator): Promise<string> {
  return editor.locator(".cm-line").evaluateAll((lines) =>
    (lines as unknown as { textContent: string }[])
      // The space that keeps the place of what is typed by an input method.
      .map(({ textContent }) => textContent.replaceAll("\u200b", ""))
      .join("\n"),
  );
}

export async function untilText(what: string, editor: Locator, text: string): Promise<void> {
  try {
    await settle(async () => (await textOf(editor)) === text);
  } catch {
    // Fails with both texts.
  }
  expectSame(what, await textOf(editor), text);
}

export async function settle(isDone: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!(await isDone())) {
    if (Date.now() > end) throw new Error("It did not come about.");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The editors of a notebook's cells, from the first. */
export function cellEditor(page: Page, index: number): Locator {
  return page.locator(".jp-NotebookPanel .jp-Cell").nth(index).locator(".jp-InputArea-editor");
}

/** Runs a command by the palette, which closes by itself when something else happens in a page that has just started. */
export async function command(page: Page, label: string): Promise<void> {
  const palette = page.locator("#modal-command-palette");
  const timeout = 2000;
  await settle(async () => {
    if (!(await palette.isVisible())) await page.keyboard.press("Control+Shift+KeyC");
    try {
      await palette.locator("input").fill(label, { timeout });
      await palette.locator(".lm-CommandPalette-item.lm-mod-active", { hasText: label }).click({ timeout });
      return true;
    } catch {
      return false;
    }
  });
}

/** Back into the active cell's text, where a command has left it. */
export async function edit(page: Page): Promise<void> {
  await settle(async () => {
    if (await page.locator(".jp-Notebook.jp-mod-editMode").isVisible()) return true;
    await page.keyboard.press("Enter");
    return false;
  });
}

/** Waits for what the status bar says. */
export async function untilSaid(page: Page, text: string): Promise<void> {
  await page.locator("#jp-main-statusbar [role=status]", { hasText: text }).waitFor();
  say(text);
}

export async function screenshot(page: Page, name: string): Promise<void> {
  if (screenshots === undefined) return;
  mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: join(screenshots, `jupyterlab-${name}.png`) });
}

/** The button in front. */
export function toolbarButton(page: Page): Locator {
  return page.locator("[data-jp-item-name=jetblack] :is(jp-button, button)").first();
}

/** There is one once the extension runs. */
export async function waitForButton(page: Page): Promise<void> {
  await toolbarButton(page).waitFor();
}
