import { decodeSource } from "../src/files/decode.ts";
import type { Answer, Item } from "./item.ts";
import { knownKindOf, type Pair } from "./known-kinds.ts";
import { askProduct } from "./product.ts";
import { isSameRefusal, type Refusal, showRefusal } from "./refusal.ts";

/** How one comparison came out. `group` says what differs first, to sort by frequency. */
export type Outcome =
  | { readonly kind: "identical" }
  /** A difference of a kind that is documented. */
  | { readonly kind: "known"; readonly name: string }
  | { readonly kind: "different"; readonly group: string; readonly detail: string };

/** Formats one item and compares with Black's answer. Where Black refuses, the safety check has its say too. */
export function compare(item: Item, isSafe: boolean): Outcome {
  const { bytes, expected: black } = item.load();
  const ours = askProduct(bytes, item, isSafe || "refusal" in black);
  // Of bytes that cannot be decoded nothing but the refusals is compared.
  const source = "text" in ours ? decodeSource(bytes).contents : Buffer.from(bytes).toString();
  return compareAnswers({ source, black, ours });
}

/** Texts are equal byte for byte, refusals in kind, line, column and sentence. */
export function compareAnswers(pair: Pair): Outcome {
  const { black, ours } = pair;
  if (isSame(black, ours)) return { kind: "identical" };
  const known = knownKindOf(pair);
  if (known !== undefined) return { kind: "known", name: known.name };
  const detail = `Black: ${show(black)}\nhere:  ${show(ours)}`;
  if ("refusal" in black || "refusal" in ours)
    return { kind: "different", group: `${kindOf(black)}, here ${kindOf(ours)}`, detail };
  const at = firstDifference(black.text, ours.text);
  return { kind: "different", group: `${at.role} ${at.statement}`, detail: at.excerpt };
}

function isSame(black: Answer, ours: Answer): boolean {
  if ("text" in black) return "text" in ours && black.text === ours.text;
  return "refusal" in ours && isSameRefusal(black.refusal, ours.refusal);
}

function show(answer: Answer): string {
  return "text" in answer ? "formats" : showRefusal(answer.refusal);
}

function kindOf(answer: Answer): string {
  return "text" in answer ? "formats" : `${answer.refusal.kind} (${summary(answer.refusal)})`;
}

/** The last words of a refusal, without what differs from file to file. */
function summary({ sentence }: Refusal): string {
  return (sentence.split("\n").at(-1) ?? "")
    .replace(/\d+/g, "N")
    .replace(/'[^']*'/g, "'...'")
    .slice(0, 70);
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
