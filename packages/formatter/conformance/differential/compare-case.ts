import type { BlackProcess } from "../black-process.ts";
import { compareAnswers, type Outcome } from "../compare.ts";
import type { Answer } from "../item.ts";
import { type Case, fileText, toRequest } from "./case.ts";
import type { ProductFiles } from "./format-file.ts";

/** How a case comes out, with Black's answer. */
export interface Compared {
  readonly outcome: Outcome;
  readonly black: Answer;
}

/** Compares the product's answer to a case with Black's. */
export function compareCase(one: Case, black: Answer, product: ProductFiles): Compared {
  return { black, outcome: compareAnswers({ source: fileText(one), black, ours: product.format(one) }) };
}

/** Asks Black about many cases at once. */
export async function askAll(cases: readonly Case[], black: BlackProcess): Promise<readonly Answer[]> {
  return cases.length === 0 ? [] : await black.ask(cases.map(toRequest));
}
