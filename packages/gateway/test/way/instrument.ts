import { readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseAst } from "rolldown/parseAst";

/** The gateway's sources. */
export const sources = resolve(import.meta.dirname, "../../src");
const sourcesUrl = `${pathToFileURL(sources).href}/`;

/** A function of the gateway's sources that was called. */
export interface Entry {
  /** Path below the sources. */
  readonly file: string;
  /** Where the function stands in the file: `12:3`. */
  readonly place: string;
  /** The function of the sources that called it; absent where Node itself did. */
  readonly caller: { readonly file: string; readonly name: string } | undefined;
}

type Node = { type: string; start: number; end: number } & Record<string, unknown>;

/** `next`, or `Symbol.asyncIterator`. */
type MethodKey = { readonly name?: string; readonly property?: MethodKey };

const RECORDER = "__entered";
let onEntry: ((entry: Entry) => void) | undefined;

/** Calls `listener` with each call of a function of the sources; without one, nothing is recorded. */
export function listen(listener: ((entry: Entry) => void) | undefined): void {
  onEntry = listener;
}

/** Makes the functions of the sources report their calls. Must run before the first of them is imported. */
export function instrumentSources(): void {
  Error.stackTraceLimit = 30;
  (globalThis as Record<string, unknown>)[RECORDER] = (file: string, place: string): void => {
    const listener = onEntry;
    if (listener === undefined) return;
    onEntry = undefined;
    listener({ file, place, caller: callerOf(file) });
    onEntry = listener;
  };
  registerHooks({
    load: (url, context, next) => {
      if (!url.startsWith(sourcesUrl) || !url.endsWith(".ts")) return next(url, context);
      const path = fileURLToPath(url);
      const code = reporting(readFileSync(path, "utf8"), relative(sources, path));
      return { format: "module", source: stripTypeScriptTypes(code), shortCircuit: true };
    },
  });
}

/** The frame behind the one that has just reported itself. */
function callerOf(file: string): Entry["caller"] {
  const before = Error.prepareStackTrace;
  Error.prepareStackTrace = (_error, frames) => frames;
  const frames = new Error().stack as unknown as NodeJS.CallSite[];
  Error.prepareStackTrace = before;
  const ours = frames.filter((frame) => frame.getFileName()?.startsWith(sourcesUrl));
  const own = ours.findIndex((frame) => frame.getFileName() === sourcesUrl + file);
  const caller = ours[own + 1];
  if (caller === undefined) return undefined;
  return {
    file: caller.getFileName()!.slice(sourcesUrl.length),
    name: caller.getFunctionName() ?? `line ${caller.getLineNumber()}`,
  };
}

/** Methods by which a stream's reader goes on. */
const iteratorMethods: ReadonlySet<string> = new Set(["next", "return", "throw", "asyncIterator"]);

/**
 * The code with a report at the beginning of each function and method. Those inside of others (callbacks) and the steps
 * of iterators go on with something that was begun by a call, and report nothing.
 */
function reporting(code: string, file: string): string {
  const inserts: [number, string][] = [];
  const visit = (value: unknown, depth: number, name?: string): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, depth);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return;
    const node = value as Node;
    const isFunction = /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type);
    const isStep = name !== undefined && iteratorMethods.has(name);
    if (isFunction && depth === 0 && !isStep) report(node, node.body as Node | null);
    const key = node.type === "MethodDefinition" ? nameOf(node.key as MethodKey) : undefined;
    for (const child of Object.values(node)) visit(child, depth + (isFunction ? 1 : 0), key);
  };
  const report = (node: Node, body: Node | null): void => {
    if (body === null) return;
    const line = code.slice(0, node.start).split("\n").length;
    const call = `globalThis.${RECORDER}("${file}", "${line}:${node.start}")`;
    if (body.type === "BlockStatement") inserts.push([body.start + 1, `${call};`]);
    else {
      inserts.push([body.start, `(${call}, `]);
      inserts.push([body.end, ")"]);
    }
  };
  visit(parseAst(code, { lang: "ts", preserveParens: true }), 0);
  inserts.sort(([one], [other]) => other - one);
  let reported = code;
  for (const [at, text] of inserts) reported = reported.slice(0, at) + text + reported.slice(at);
  return reported;
}

function nameOf({ name, property }: MethodKey): string | undefined {
  return name ?? property?.name;
}
