import type { Outcome } from "./compare.ts";
import type { Item } from "./item.ts";

/** What came of one set. */
export interface SetResult {
  readonly name: string;
  readonly total: number;
  readonly identical: number;
  /** How many differ in which documented way. */
  readonly known: Readonly<Record<string, number>>;
  readonly others: readonly {
    readonly item: Item;
    readonly outcome: Extract<Outcome, { kind: "different" }>;
  }[];
}

/** One line of figures, then the groups of differences, most frequent first, each with examples. */
export function renderResult(result: SetResult, options: { groups: number; examples: number }): string {
  const share = result.total === 0 ? 100 : (100 * result.identical) / result.total;
  const lines = [`${result.name}: ${result.identical} of ${result.total} identical (${share.toFixed(2)} %)`];
  for (const [name, count] of Object.entries(result.known))
    lines.push(`  ${String(count).padStart(5)}  documented: ${name}`);
  const groups = new Map<string, SetResult["others"][number][]>();
  for (const other of result.others) {
    const members = groups.get(other.outcome.group) ?? [];
    members.push(other);
    groups.set(other.outcome.group, members);
  }
  const ranked = [...groups].sort((a, b) => b[1].length - a[1].length);
  for (const [group, members] of ranked.slice(0, options.groups)) {
    lines.push(`  ${String(members.length).padStart(5)}  ${group}   (${members[0]!.item.name})`);
    for (const { item, outcome } of members.slice(0, options.examples))
      lines.push(indent(`${item.name}\n${outcome.detail}`));
  }
  if (ranked.length > options.groups) lines.push(`  ... ${ranked.length - options.groups} more groups`);
  return lines.join("\n");
}

function indent(text: string): string {
  return text.replace(/^/gm, "         ");
}
