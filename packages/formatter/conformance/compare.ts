import { decodeSource } from "../src/files/decode.ts";
import type { Expected, Item } from "./item.ts";

/** Formats one item's source, with the safety check or without; throws what the product throws. */
export type Formatter = (source: string, item: Item, isSafe: boolean) => string;

/** How one item came out. `group` says what differs first, to sort by frequency. */
export type Outcome =
  | { readonly kind: "identical" }
  | { readonly kind: "failed" | "different"; readonly group: string; readonly detail: string };

/** Runs the formatter on one item and compares with Black's answer. Where Black refuses, the check has its say too. */
export function compare(item: Item, format: Formatter, isSafe: boolean): Outcome {
  const { bytes, expected } = item.load();
  let actual: string;
  try {
    actual = format(decodeSource(bytes).contents, item, isSafe || "error" in expected);
  } catch (error) {
    return judgeFailure(error, expected);
  }
  if ("error" in expected)
    return { kind: "different", group: `Black refuses: ${expected.error.slice(0, 90)}`, detail: "formatted" };
  if (actual === expected.text) return { kind: "identical" };
  const at = firstDifference(expected.text, actual);
  return { kind: "different", group: `${at.role} ${at.statement}`, detail: at.excerpt };
}

function judgeFailure(error: unknown, expected: Expected): Outcome {
  if ("error" in expected) return { kind: "identical" };
  const { message, stack = "" } = error instanceof Error ? error : new Error(String(error));
  const where = /\/src\/([\w/.-]+:\d+)/.exec(stack)?.[1] ?? "?";
  const name = error instanceof Error ? error.name : "Error";
  const summary = message.replace(/\d+:\d+/, "L:C").split("\n");
  return { kind: "failed", group: `${name} at ${where}: ${summary[0]!.slice(0, 100)}`, detail: message };
}

interface Difference {
  readonly role: string;
  readonly statement: string;
  readonly excerpt: string;
}

/** The first line that differs, the kind of the statement it is in, and both texts around it. */
function firstDifference(expected: string, actual: string): Difference {
  const wanted = expected.split("\n");
  const got = actual.split("\n");
  let line = 0;
  while (line < wanted.length && line < got.length && wanted[line] === got[line]) line++;
  const show = (lines: readonly string[], mark: string): string =>
    lines
      .slice(line, line + 6)
      .map((text) => `${mark} ${text}`)
      .join("\n");
  const before = wanted.slice(Math.max(0, line - 2), line).map((text) => `  ${text}`);
  const excerpt = [`line ${line + 1}`, ...before, show(wanted, "-"), show(got, "+")].join("\n");
  return { role: roleOf(wanted[line], got[line]), statement: statementAt(wanted, line), excerpt };
}

/** In what respect two lines differ. */
function roleOf(wanted = "", got = ""): string {
  if (wanted.trim() === "" || got.trim() === "") return "blank line";
  if (wanted.trim() === got.trim()) return "indentation";
  if (wanted.replace(/\s+/g, "") === got.replace(/\s+/g, "")) return "white space";
  if (wanted.includes("#") !== got.includes("#") || wanted.trim().startsWith("#")) return "comment";
  if (wanted.startsWith(got) || got.startsWith(wanted)) return "split";
  if (wanted.replace(/["']/g, "") === got.replace(/["']/g, "")) return "quotes";
  return "text";
}

/** First word of the nearest line above that begins a statement, as far as indentation tells. */
function statementAt(lines: readonly string[], line: number): string {
  for (let at = Math.min(line, lines.length - 1); at >= 0; at--) {
    const text = lines[at]!;
    if (/^\s*[)\]}]/.test(text) || text.trim() === "") continue;
    const word = /^\s*(@|#|"""|[a-z]+\b)/.exec(text)?.[1];
    const opensBlock = /[([{]$/.test(text.trimEnd());
    if (at !== line && !opensBlock) return `near ${word ?? "expression"}`;
    return word !== undefined &&
      /^(if|elif|for|while|with|def|class|return|assert|del|import|from|raise|async|except|try|lambda|yield|print|match|case|@|#|""")$/.test(
        word,
      )
      ? word
      : "expression";
  }
  return "start of file";
}
