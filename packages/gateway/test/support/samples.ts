import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { divided, plannedPages } from "../../../../site/plan.ts";

export const workspace = resolve(import.meta.dirname, "../../../..");

/** A fenced block of a page. */
export interface Sample {
  readonly page: string;
  readonly language: string;
  readonly text: string;
}

/** The pages about Portico; those about Jetblack are `formatter/test/guides.test.ts`'s. */
export const pages = [
  ...new Set(["README.md", ...plannedPages.map(({ source }) => source), ...Object.keys(divided)]),
].filter(
  (page) => !/^(?:docs\/formatter|packages\/(?:formatter|prettier-plugin|vscode|jupyterlab))\//.test(page),
);

/** What these pages show, in their order. */
export const samples: readonly Sample[] = pages.flatMap((page): Sample[] =>
  [...readFileSync(join(workspace, page), "utf8").matchAll(/^ *```(.*)\n([\s\S]*?)^ *```$/gm)].map(
    ([, language, text]) => ({ page, language: language!, text: text! }),
  ),
);
