import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from "playwright-core";
import type { TestGateway } from "./gateway.ts";

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
/** In CI the browser must be there; a newcomer without one skips these tests. */
export const hasBrowser = process.env.CI !== undefined || existsSync(executablePath);

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What a stored script would look like in any field that others fill. */
export const SCRIPT = `"><img src=x onerror="window.attacked=1"><script>window.attacked=1</script>`;

/** Tab stops of the longest page, and more. */
const MOST_STOPS = 400;
/** Stops between two looks at how far the focus is. */
const STRIDE = 8;

/** Runs in each page before its own scripts: complains of what the policy stops, and of a focus that nobody sees. */
const WATCH = `
document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
  console.error("policy: " + violatedDirective + " " + blockedURI));
// Colors that change little by little would be looked at halfway.
const still = new CSSStyleSheet();
still.replaceSync("*, *::before, *::after { transition: none !important; }");
document.adoptedStyleSheets = [still];
const nameOf = (element) => element.getAttribute("aria-label") || element.textContent.slice(0, 60) || element.outerHTML.slice(0, 120);
const complain = (words, element) => console.error("focus: " + words + ": " + nameOf(element) + " at " + location.hash);
/** What may show the focus: of the element itself, what holds it, and what stands for it. */
const styleOf = (element) => {
  const around = [element, element.nextElementSibling, element.firstElementChild];
  for (let up = element.parentElement; up !== null && around.length < 7; up = up.parentElement) around.push(up);
  return around.map((each) => {
    if (each === null) return "";
    const { outline, boxShadow, borderColor, backgroundColor, textDecoration } = getComputedStyle(each);
    return [outline, boxShadow, borderColor, backgroundColor, textDecoration].join();
  }).join("|");
};
/** Hidden inputs are shown by their labels. */
const shownBy = (element) => {
  const { width, height } = element.getBoundingClientRect();
  if (width > 4 && height > 4 && getComputedStyle(element).opacity !== "0") return element;
  return element.labels?.[element.labels.length - 1] ?? element.parentElement;
};
const isSeen = (element) => {
  const shown = shownBy(element);
  const { left, right, top, bottom } = shown.getBoundingClientRect();
  const [x1, x2, y1, y2] = [Math.max(left, 0), Math.min(right, innerWidth), Math.max(top, 0), Math.min(bottom, innerHeight)];
  if (x2 - x1 < 1 || y2 - y1 < 1) return false;
  // Something may lie above one part of it, not above all.
  return [0.1, 0.5, 0.9].some((part) => {
    const there = document.elementFromPoint(x1 + (x2 - x1) * part, y1 + (y2 - y1) * part);
    return there !== null && (shown.contains(there) || there.contains(shown) || element.contains(there));
  });
};
const way = (window.focusWay = { seen: new Set(), isRound: false, isAtEnd: false });
let style;
addEventListener("focusin", ({ target }) => {
  if (way.seen.has(target)) way.isRound = true;
  way.seen.add(target);
  // A menu that opens has the focus itself until an arrow is pressed.
  const isShown = target.matches(":focus-visible") && target.role !== "presentation";
  style = isShown ? styleOf(target) : undefined;
}, true);
addEventListener("focusout", ({ target, relatedTarget }) => {
  // The end of the page: from here the focus goes to the browser's own buttons.
  if (relatedTarget === null) way.isAtEnd = true;
  if (target.isConnected && style !== undefined && style === styleOf(target)) complain("nothing shows it", target);
}, true);
addEventListener("keydown", () => {
  const { activeElement } = document;
  if (activeElement !== null && activeElement !== document.body && !isSeen(activeElement)) complain("it is out of sight", activeElement);
}, true);
`;

export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
}

/** A page on which everything that the browser complains about is noted. */
export interface OpenConsole {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors and warnings, violations of the policy, a focus that is not seen, requests to other origins. */
  readonly complaints: string[];
}

/** Opens the console where nobody is signed in. */
export async function openConsole(
  browser: Browser,
  gateway: TestGateway,
  options: Parameters<Browser["newContext"]>[0] = {},
): Promise<OpenConsole> {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  // The policy of the page lets no further script in; these come before it.
  await page.addInitScript(`{${WATCH}}`);
  await page.addInitScript(axe);
  page.on("console", (message) => {
    // Nobody is signed in when the page first asks.
    const isFirst = message.location().url.endsWith("/ui/session");
    if (["error", "warning"].includes(message.type()) && !isFirst) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    const { origin } = new URL(request.url());
    const isLocal = request.url().startsWith("data:") || request.url().startsWith("blob:");
    if (!isLocal && origin !== gateway.url) complaints.push(request.url());
  });
  await page.goto(`${gateway.url}/ui/`);
  return { context, page, complaints };
}

/** Signs in by keyboard. */
export async function signIn(page: Page, key: string): Promise<void> {
  const field = page.getByLabel("Gateway key").first();
  await tabTo(page, field);
  await page.keyboard.insertText(key);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Overview" }).waitFor();
}

/**
 * What axe finds, by its rules for WCAG 2.2 AA and its advice.
 * @param colorsAlone for a page that was looked at in other colors
 */
export async function findings(page: Page, colorsAlone = false): Promise<string[]> {
  const only = colorsAlone ? `, runOnly: ["color-contrast", "link-in-text-block"]` : "";
  const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    `axe.run({ resultTypes: ["violations"]${only} })`,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
}

/** What the browser has, as far as it is asked for. */
interface Window {
  readonly document: { readonly activeElement: unknown };
}

export function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate(
    (element: unknown) => element === (globalThis as unknown as Window).document.activeElement,
  );
}

/** Presses Tab, or Shift and Tab where that is nearer, until something has the focus. @throws Error where that never happens */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  // Hidden inputs are shown by their labels.
  await target.waitFor({ state: "attached" });
  const isBefore = await target.evaluate(
    "(target) => (document.activeElement.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_PRECEDING) > 0",
  );
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    if (await hasFocus(target)) return;
    await page.keyboard.press(isBefore ? "Shift+Tab" : "Tab");
  }
  throw new Error(`No way leads by Tab to ${target}`);
}

/**
 * Goes by Tab through everything that can have the focus: of a dialog until it is where it began, of a page to its end.
 * @throws Error where it is trapped
 */
export async function tabAround(page: Page): Promise<void> {
  await page.evaluate("Object.assign(focusWay, { seen: new Set(), isRound: false, isAtEnd: false })");
  // A dialog with one button keeps the focus where it is.
  const isDone = `document.activeElement.closest("[role=dialog]") === null
    ? focusWay.isAtEnd : focusWay.isRound || focusWay.seen.size === 0`;
  for (let stops = 0; stops < MOST_STOPS; stops += STRIDE) {
    for (let step = 0; step < STRIDE; step += 1) await page.keyboard.down("Tab");
    if (await page.evaluate(isDone)) {
      await page.keyboard.up("Tab");
      return;
    }
  }
  throw new Error(`The focus is trapped: ${await page.evaluate("document.activeElement.outerHTML")}`);
}

/** Goes to a button or link by Tab and presses it. */
export async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
}
