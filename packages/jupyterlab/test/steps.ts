import type { Locator, Page } from "playwright-core";
import { expectSame, say } from "../../formatter/conformance/expect-same.ts";
import { contentsOf, formattedSources, LONG, sources } from "./documents.ts";
import {
  cellEditor,
  command,
  edit,
  screenshot,
  settle,
  toolbarButton,
  untilSaid,
  untilText,
  waitForButton,
} from "./page.ts";

/** Reads a file as the server has it. */
type Read = () => string;

const fileEditor = (page: Page): Locator => page.locator(".jp-FileEditor");

/** One cell by command, taken back; then all of them by the button. */
export async function formatNotebook(page: Page): Promise<void> {
  await waitForButton(page);
  const first = cellEditor(page, 0);
  await first.click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" +call( b,c )");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await command(page, "Format Cell with Jetblack");
  await untilText("a cell, by command", first, "a = 1 + call(b, c)");
  await untilText("the others stay", cellEditor(page, 5), sources[5]);
  await edit(page);
  await page.keyboard.type("d");
  await untilText("the cursor is where it was", first, "a = 1 + call(b, cd)");
  await page.keyboard.press("Control+z");
  await untilText("typing is taken back", first, "a = 1 + call(b, c)");
  await page.keyboard.press("Control+z");
  await untilText("formatting is taken back in one step", first, "a = 1 +call( b,c )");

  await toolbarButton(page).click();
  await untilText("all cells, by the button", cellEditor(page, 5), formattedSources[5]);
  await untilText("also the first", first, "a = 1 + call(b, c)");
  await untilText("magics are kept", cellEditor(page, 1), formattedSources[1]);
  await untilText("a cell in another language stays", cellEditor(page, 2), sources[2]);
  await untilText("a cell that cannot be parsed stays", cellEditor(page, 4), sources[4]);
  await untilSaid(page, "Jetblack: not formatted: cell 5, line 2, column ");
  await page.locator(".jp-OutputArea-output", { hasText: "kept" }).waitFor();
  await screenshot(page, "notebook");
}

/** What the page draws from now on until the status bar says something. */
const COUNT_FRAMES = `
  globalThis.drawn = 0;
  const count = () => {
    const said = [...document.querySelectorAll("#jp-main-statusbar [role=status]")];
    if (said.some(({ textContent }) => textContent.startsWith("Jetblack"))) return;
    globalThis.drawn++;
    requestAnimationFrame(count);
  };
  count();
`;

/** If all cells were formatted in one go, the page would draw nothing meanwhile. */
export async function formatLongNotebook(page: Page): Promise<void> {
  await waitForButton(page);
  const button = toolbarButton(page);
  // With the click in the same turn, all that is drawn is drawn after it.
  await button.evaluate((element: { click(): void }, script) => {
    new Function(script)();
    element.click();
  }, COUNT_FRAMES);
  await untilSaid(page, `Jetblack: formatted ${LONG} cells`);
  const drawn = Number(await page.evaluate("globalThis.drawn"));
  if (drawn < 10) throw new Error(`the page has drawn ${drawn} times while ${LONG} cells were formatted`);
  say(`the page goes on drawing meanwhile: ${drawn} times`);
}

export async function saveNotebook(page: Page, read: Read): Promise<void> {
  await page.keyboard.press("Control+s");
  const expected = ["a = 1 + call(b, c)", ...formattedSources.slice(1)];
  await settle(() => contentsOf(read()).sources[0] === expected[0]);
  const contents = contentsOf(read());
  expectSame("the cells are saved", contents.sources, expected);
  expectSame("outputs are kept", contents.outputs, ["kept\n"]);
}

export async function checkMenu(page: Page): Promise<void> {
  await page.locator(".lm-MenuBar-item", { hasText: "Edit" }).click();
  for (const what of ["Cell", "All Cells", "File"])
    await page.locator(".lm-Menu-item", { hasText: `Format ${what} with Jetblack` }).waitFor();
  await page.keyboard.press("Escape");
  say("the Edit menu");
}

export async function leaveOtherLanguage(page: Page): Promise<void> {
  await toolbarButton(page).click();
  await untilSaid(page, "Jetblack: there is no Python to format");
  await untilText("a notebook in another language stays", cellEditor(page, 5), sources[5]);
}

/** A Python file: by command, taken back, by the button, saved without being formatted, broken. */
export async function editFile(page: Page, read?: Read): Promise<void> {
  await waitForButton(page);
  const editor = fileEditor(page);
  await editor.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("y  = 2");
  await command(page, "Format File with Jetblack");
  await untilText("a file, by command", editor, 'x = {"a": 1}\ny = 2\n');
  await page.keyboard.press("Control+z");
  const typed = "x = { 'a':1 }\ny  = 2";
  await untilText("taken back in one step", editor, typed);
  if (read !== undefined) {
    await page.keyboard.press("Control+s");
    await settle(() => read() === typed);
    say("saved without being formatted");
  }
  await toolbarButton(page).click();
  await untilText("a file, by the button", editor, 'x = {"a": 1}\ny = 2\n');
  await editor.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("z  = (");
  await command(page, "Format File with Jetblack");
  await untilSaid(page, "Jetblack: not formatted: line 3, column ");
  await untilText("a file that cannot be parsed stays", editor, 'x = {"a": 1}\ny = 2\nz  = (');
  await screenshot(page, "file");
}

/** A file in a project with lines of 20 columns. */
export const IN_PROJECT = "call( first,second,third )\n";

export async function formatInProject(page: Page): Promise<void> {
  await waitForButton(page);
  await toolbarButton(page).click();
  const expected = "call(\n    first,\n    second,\n    third,\n)\n";
  await untilText("as the pyproject.toml above says", fileEditor(page), expected);
}

export async function leaveText(page: Page): Promise<void> {
  await toolbarButton(page).waitFor({ state: "hidden" });
  say("no button for other files");
}

/** With the settings changed: format on save, 20 columns. */
export async function saveFormatted(page: Page, read: Read): Promise<void> {
  await waitForButton(page);
  const editor = fileEditor(page);
  await editor.locator(".cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("call( first,second,third )");
  await page.keyboard.press("Control+s");
  const expected = "call(\n    first,\n    second,\n    third,\n)\n";
  await untilText("formatted on save, with the settings", editor, expected);
  await settle(() => read() === expected);
  say("saved as formatted");
}
