import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import GithubSlugger from "github-slugger";
import { divided, plannedPages } from "./plan.ts";

const repository = join(import.meta.dirname, "..");
const site = import.meta.dirname;

/** Where the generator finds the pages. */
const staged = join(site, "dist/pages");

/**
 * Writes the pages as the generator reads them: at their addresses, with links from page to page. Links to files that
 * are no pages become their text.
 * @throws Error for a page in `docs/` that is missing in the plan: nobody would find it
 */
export function stagePages(): void {
  rmSync(staged, { recursive: true, force: true });
  const routes = new Map(plannedPages.map(({ source, route }) => [source, route]));
  for (const source of globSync("docs/decisions/2*.md", { cwd: repository }))
    routes.set(source, `project/decisions/${basename(source, ".md")}`);
  for (const [source, { route }] of Object.entries(divided)) routes.set(source, `${route}/index`);
  const forgotten = globSync("docs/**/*.md", { cwd: repository }).filter((source) => !routes.has(source));
  if (forgotten.length > 0) throw new Error(`Give ${forgotten.join(", ")} a place in site/plan.ts.`);
  for (const [source, route] of routes) {
    const text = withLinks(readFileSync(join(repository, source), "utf8"), source, route, routes);
    const below = divided[source]?.route;
    if (below === undefined) write(route, text);
    else for (const [name, part] of sectionsOf(text, below)) write(`${below}/${name}`, part);
  }
  cpSync(join(site, "index.md"), join(staged, "index.md"));
}

/** The sections of a page, each a page below a route, and the page before them that lists them. */
function sectionsOf(text: string, below: string): Map<string, string> {
  const slugger = new GithubSlugger();
  const [head = "", ...sections] = text.split(/^## /m);
  const pages = new Map<string, string>();
  const list = sections.map((section) => {
    const title = section.split("\n", 1)[0]!;
    const name = slugger.slug(title);
    // The headings of a page of its own stand one level higher.
    pages.set(name, `# ${section.replace(/^#(##+) /gm, "$1 ")}`);
    return `- [${title}](/${below}/${name})`;
  });
  return pages.set("index", `${head}\n${list.join("\n")}\n`);
}

function write(route: string, text: string): void {
  const file = join(staged, `${route}.md`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Links of Markdown and of the tags that the pages use, outside of code. */
const LINKS = /(```[\s\S]*?```|`[^`\n]*`)|\]\(([^)\s]+)\)|\b(src|srcset|href)="([^"]+)"/g;

function withLinks(text: string, source: string, route: string, routes: ReadonlyMap<string, string>): string {
  const linked = text.replace(LINKS, (whole, code?: string, link?: string, name?: string, value?: string) => {
    if (code !== undefined) return whole;
    const target = newTarget(link ?? value!, source, route, routes);
    return link === undefined ? `${name}="${target ?? ""}"` : `](${target ?? DROPPED})`;
  });
  return linked.replace(new RegExp(`\\[([^\\]]*)\\]\\(${DROPPED}\\)`, "g"), "$1");
}

/** Stands for the target of a link that is none on the site. */
const DROPPED = "dropped:";

function newTarget(
  link: string,
  source: string,
  route: string,
  routes: ReadonlyMap<string, string>,
): string | undefined {
  if (/^(?:[a-z]+:|#)/.test(link)) return link;
  const [path = "", anchor] = link.split("#");
  const target = posix.join(posix.dirname(source), path);
  const page = routes.get(target);
  if (page !== undefined) return `/${page.replace(/index$/, "")}${anchor === undefined ? "" : `#${anchor}`}`;
  if (!/\.(?:svg|png)$/.test(target) || !existsSync(join(repository, target))) return undefined;
  const beside = join(staged, dirname(route), basename(target));
  cpSync(join(repository, target), beside);
  return `./${basename(target)}`;
}
