import { type Opcode, opcodes } from "./sequence-matcher.ts";

/** Unchanged lines around a change (Black's choice). */
const CONTEXT = 5;

/**
 * A unified diff as Black prints it (`output.py` diff on `difflib.unified_diff`), with the conventional note where
 * a side lacks its last line end. Equal texts give the empty string.
 */
export function unifiedDiff(before: string, after: string, beforeName: string, afterName: string): string {
  const a = linesWithEnds(before);
  const b = linesWithEnds(after);
  const out: string[] = [];
  for (const group of groupOpcodes(opcodes(a, b))) {
    if (out.length === 0) out.push(`--- ${beforeName}\n`, `+++ ${afterName}\n`);
    const first = group[0]!;
    const last = group.at(-1)!;
    out.push(`@@ -${hunkRange(first.aStart, last.aEnd)} +${hunkRange(first.bStart, last.bEnd)} @@\n`);
    for (const code of group) {
      if (code.tag === "equal")
        for (const line of a.slice(code.aStart, code.aEnd)) out.push(finished(` ${line}`));
      else {
        for (const line of a.slice(code.aStart, code.aEnd)) out.push(finished(`-${line}`));
        for (const line of b.slice(code.bStart, code.bEnd)) out.push(finished(`+${line}`));
      }
    }
  }
  return out.join("");
}

/** Lines with their ends, split at LF, CRLF and CR only, as Python's parser splits. */
function linesWithEnds(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
}

function finished(line: string): string {
  return line.endsWith("\n") ? line : `${line}\n\\ No newline at end of file\n`;
}

function hunkRange(start: number, end: number): string {
  const length = end - start;
  if (length === 1) return String(start + 1);
  return `${length === 0 ? start : start + 1},${length}`;
}

/** Splits the edits where more than two contexts of unchanged lines lie between (`get_grouped_opcodes`). */
function groupOpcodes(codes: readonly Opcode[]): Opcode[][] {
  const all = [...codes];
  const first = all[0];
  if (first?.tag === "equal") all[0] = tail(first);
  const last = all.at(-1);
  if (last?.tag === "equal") all[all.length - 1] = head(last);
  const groups: Opcode[][] = [];
  let group: Opcode[] = [];
  for (const code of all) {
    if (code.tag === "equal" && code.aEnd - code.aStart > CONTEXT * 2) {
      group.push(head(code));
      groups.push(group);
      group = [tail(code)];
    } else group.push(code);
  }
  if (group.length > 0) groups.push(group);
  return groups.filter((members) => !(members.length === 1 && members[0]!.tag === "equal"));
}

/** The last lines of an unchanged run. */
function tail(code: Opcode): Opcode {
  return {
    ...code,
    aStart: Math.max(code.aStart, code.aEnd - CONTEXT),
    bStart: Math.max(code.bStart, code.bEnd - CONTEXT),
  };
}

/** The first lines of an unchanged run. */
function head(code: Opcode): Opcode {
  return {
    ...code,
    aEnd: Math.min(code.aEnd, code.aStart + CONTEXT),
    bEnd: Math.min(code.bEnd, code.bStart + CONTEXT),
  };
}
