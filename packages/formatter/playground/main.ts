import { format, ParseError, styleVersion } from "../src/index.ts";
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

/** Formats what is there; while it cannot be parsed, the last result stays and the place of the error is named. */
function update(): void {
  try {
    const started = performance.now();
    output = format(state.source, formatOptions(state));
    const took = Math.max(1, Math.round(performance.now() - started));
    report(
      `${output === state.source ? "Already well formatted" : "Formatted"} in ${took} ms, style of Black ${styleVersion}.`,
    );
    showResult(result, view, state.source, output);
  } catch (error) {
    report(error instanceof ParseError ? describe(error) : String(error), true);
  }
}

function describe({ line, column, reason }: ParseError): string {
  return `Line ${line}, column ${column}: ${reason}`;
}

function report(text: string, failed = false): void {
  status.textContent = text;
  status.classList.toggle("failed", failed);
}

function change(part: Partial<PageState>): void {
  state = { ...state, ...part };
  update();
}

function show(chosen: View): void {
  view = chosen;
  for (const button of views) button.setAttribute("aria-pressed", String(button.dataset.view === view));
  showResult(result, view, state.source, output);
}

async function copyLink(): Promise<void> {
  history.replaceState(undefined, "", `#${await stateToHash(state)}`);
  await navigator.clipboard?.writeText(location.href).catch(() => undefined);
  report("The address of this page now holds source and options; it was copied where the browser allows it.");
}

source.value = state.source;
source.addEventListener("input", () => change({ source: source.value }));
showOptions(options, state, change);
for (const button of views) button.addEventListener("click", () => show(button.dataset.view as View));
share.addEventListener("click", () => void copyLink());
update();
