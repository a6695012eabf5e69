import { formatInWorker } from "../src/browser/format-in-worker.ts";
import workerAddress from "../src/browser/worker.ts?worker&url";
import { ParseError, styleVersion } from "../src/index.ts";
import { showOptions } from "./options-form.ts";
import { formatOptions, initialState, type PageState } from "./page-state.ts";
import { showResult, type View } from "./result-view.ts";
import { hashToState, stateToHash } from "./share-link.ts";

const source = element("source", HTMLTextAreaElement);
const result = element("result", HTMLPreElement);
const status = element("status", HTMLElement);
const share = element("share", HTMLButtonElement);
const options = element("options", HTMLFormElement);
const views = [...document.querySelectorAll<HTMLButtonElement>("button[data-view]")];

let state: PageState = (await hashToState(location.hash)) ?? initialState;
let view: View = "output";
let output = "";

function element<T extends HTMLElement>(id: string, type: abstract new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`The page has no ${id}`);
  return found;
}

const formatter = formatInWorker(workerAddress);
/** Counts requests, so that an answer to an earlier one is not shown. */
let asked = 0;

/** Formats what is there; while it cannot be parsed, the last result stays, dimmed, and the place of the error is named. */
async function update(): Promise<void> {
  const current = ++asked;
  const { source: text } = state;
  try {
    const started = performance.now();
    const formatted = await formatter.format(text, formatOptions(state));
    if (current !== asked) return;
    output = formatted;
    const took = Math.max(1, Math.round(performance.now() - started));
    report(
      `${output === text ? "Already well formatted" : "Formatted"} in ${took} ms, style of Black ${styleVersion}.`,
    );
    result.classList.remove("stale");
    showResult(result, view, text, output);
  } catch (error) {
    if (current !== asked) return;
    result.classList.add("stale");
    report(error instanceof ParseError ? describe(error) : String(error), true);
  }
}

/** The place, and the line itself with a mark below it. */
function describe({ line, column, reason, sourceLine }: ParseError): string {
  return `Line ${line}, column ${column}: ${reason}\n${sourceLine}\n${" ".repeat(Math.max(0, column - 1))}^`;
}

function report(text: string, failed = false): void {
  status.textContent = text;
  status.classList.toggle("failed", failed);
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

/** The address holds source and options, so that a bookmark or a link made at any time is what one sees. */
async function updateAddress(): Promise<void> {
  history.replaceState(undefined, "", `#${await stateToHash(state)}`);
}

function show(chosen: View): void {
  view = chosen;
  for (const button of views) button.setAttribute("aria-pressed", String(button.dataset.view === view));
  showResult(result, view, state.source, output);
}

async function copyLink(): Promise<void> {
  await updateAddress();
  try {
    await navigator.clipboard.writeText(location.href);
    report("The link is in the clipboard: it holds source and options.");
  } catch {
    report("The browser does not let this page use the clipboard; the address above is the link.");
  }
}

source.value = state.source;
source.addEventListener("input", () => change({ source: source.value }));
showOptions(options, state, change);
for (const button of views) button.addEventListener("click", () => show(button.dataset.view as View));
share.addEventListener("click", () => void copyLink());
void update();
