import { styleVersion } from "../src/mode/versions.ts";
import { startWorker } from "./ask-worker.ts";
import { saveAs } from "./files.ts";
import type { Inspection } from "./inspect.ts";
import { keepOffline } from "./offline.ts";
import { showOptions } from "./options-form.ts";
import { initialState, kindOfFile, type PageState } from "./page-state.ts";
import { showResult, type View } from "./result-view.ts";
import { hashToState, stateToHash } from "./share-link.ts";
import { describe } from "./verdict.ts";
import workerAddress from "./worker.ts?worker&url";

const source = element("source", HTMLTextAreaElement);
const result = element("result", HTMLPreElement);
const status = element("status", HTMLElement);
const options = element("options", HTMLFormElement);
const views = [...document.querySelectorAll<HTMLButtonElement>("button[data-view]")];

let state: PageState = (await hashToState(location.hash)) ?? initialState;
let view: View = "output";
/** What the page shows: the last source that could be formatted, and what came of it. */
let shown: { readonly source: string; readonly inspection: Inspection } | undefined;

function element<T extends HTMLElement>(id: string, type: abstract new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`The page has no ${id}`);
  return found;
}

const ask = startWorker(workerAddress);
/** Counts requests, so that an answer to an earlier one is not shown. */
let asked = 0;

/** Formats what is there; while it cannot be parsed, the last result stays, dimmed, and the place of the error is named. */
async function update(): Promise<void> {
  const current = ++asked;
  const { source: text } = state;
  try {
    const inspection = await ask(state);
    if (current !== asked) return;
    shown = { source: text, inspection };
    report(describe(text, inspection, styleVersion), inspection.faults.length > 0);
    result.classList.remove("stale");
    showResult(result, view, text, inspection);
  } catch (error) {
    if (current !== asked) return;
    result.classList.add("stale");
    report(error instanceof Error ? error.message : String(error), true);
  }
}

function report(text: string, failed = false): void {
  status.textContent = text;
  status.classList.toggle("failed", failed);
  // Long lines and many cells scroll.
  if (failed) status.tabIndex = 0;
  else status.removeAttribute("tabindex");
}

function change(part: Partial<PageState>): void {
  state = { ...state, ...part };
  void update();
  clearTimeout(addressTimer);
  addressTimer = setTimeout(() => void updateAddress(), ADDRESS_AFTER_MS);
}

/** Browsers allow a page only so many changes of its address in a time. */
const ADDRESS_AFTER_MS = 500;
let addressTimer: ReturnType<typeof setTimeout> | undefined;

/**
 * The address holds source and options, so that a bookmark or a link made at any time is what one sees.
 * @returns whether it does: browsers refuse addresses of some megabytes
 */
async function updateAddress(): Promise<boolean> {
  const current = state;
  const hash = `#${await stateToHash(current)}`;
  if (current !== state) return false;
  try {
    history.replaceState(undefined, "", hash);
  } catch {
    return false;
  }
  // They also cut long ones without a word.
  return location.hash === hash;
}

/** Puts a state into the page: that of a link, or of a file. */
function open(opened: PageState): void {
  state = opened;
  source.value = state.source;
  showOptions(options, state, change);
  void update();
}

function show(chosen: View): void {
  view = chosen;
  for (const button of views) button.setAttribute("aria-pressed", String(button.dataset.view === view));
  if (shown !== undefined) showResult(result, view, shown.source, shown.inspection);
}

async function copyLink(): Promise<void> {
  clearTimeout(addressTimer);
  if (!(await updateAddress()))
    return report("The source is too long for a link; send it as a file instead.", true);
  try {
    await navigator.clipboard.writeText(location.href);
    report("The link is in the clipboard: it holds source and options.");
  } catch {
    report("The browser does not let this page use the clipboard; the address above is the link.");
  }
}

async function openFile(input: HTMLInputElement): Promise<void> {
  const [file] = input.files ?? [];
  if (file === undefined) return;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    open({ ...state, source: text, kind: kindOfFile(file.name) });
    change({});
  } catch {
    report(`${file.name} cannot be read as UTF-8.`, true);
  }
  // The same file once more is a change, too.
  input.value = "";
}

open(state);
source.addEventListener("input", () => change({ source: source.value }));
for (const button of views) button.addEventListener("click", () => show(button.dataset.view as View));
element("share", HTMLButtonElement).addEventListener("click", () => void copyLink());
element("save", HTMLButtonElement).addEventListener("click", () => {
  if (shown !== undefined) saveAs(shown.inspection.output, state.kind);
});
const file = element("file", HTMLInputElement);
element("open", HTMLButtonElement).addEventListener("click", () => file.click());
file.addEventListener("change", () => void openFile(file));
// A link that is put into the address of the open page.
addEventListener("hashchange", async () => open((await hashToState(location.hash)) ?? initialState));
keepOffline(() => {
  element("style", HTMLElement).textContent =
    "Formats Python in this page as you type, also without a network; nothing leaves your browser.";
});
