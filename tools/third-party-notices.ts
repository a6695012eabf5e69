import { globSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { makeBundles } from "./bundles.ts";

/** `npm run notices` writes THIRD-PARTY-NOTICES.md: what the bundles contain beside our own code, with its licences. */
const workspace = resolve(import.meta.dirname, "..");

/** Where the notices are kept. */
export const noticesFile = join(workspace, "THIRD-PARTY-NOTICES.md");

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly licenses?: readonly { readonly type: string }[];
  readonly author?: string | { readonly name: string };
}

if (process.argv[1] === import.meta.filename) writeFileSync(noticesFile, await thirdPartyNotices());

/** The notices for the packages whose modules the bundler puts into our bundles; each text once, below its packages. */
export async function thirdPartyNotices(): Promise<string> {
  const packagesByText = new Map<string, string[]>();
  for (const folder of await bundledFolders()) {
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
    const text =
      licenceText(folder) ?? `${authorOf(manifest)}\n\n${licenceOf(manifest)}, as its package states.`;
    const title = `${manifest.name} ${manifest.version} (${licenceOf(manifest)})`;
    packagesByText.set(text, [...(packagesByText.get(text) ?? []), title]);
  }
  const sections = [...packagesByText]
    .map(([text, titles]) => ({ titles: [...new Set(titles)].sort(), text }))
    .sort((one, other) => (one.titles[0]! < other.titles[0]! ? -1 : 1))
    .map(({ titles, text }) => `## ${titles.join(", ")}\n\n~~~text\n${text}\n~~~\n`);
  const intro =
    "The published bundles of Portico and Jetblack contain code of the packages below, under their own licences.\n" +
    "Written by `npm run notices`; a test keeps it up to date.\n";
  return ["# Third-party notices\n", intro, ...sections].join("\n");
}

/** The folders in `node_modules` from which the bundles of all packages take modules. */
async function bundledFolders(): Promise<string[]> {
  const folders = new Set<string>();
  for (const file of globSync("packages/*/rolldown.config.ts", { cwd: workspace })) {
    for (const { output } of await makeBundles(basename(dirname(file)), ({ generate }) => generate()))
      for (const module of output.flatMap((part) =>
        part.type === "chunk" ? part.moduleIds : part.originalFileNames,
      )) {
        const folder = packageFolder(module);
        if (folder !== undefined) folders.add(folder);
      }
  }
  return [...folders].sort();
}

/** The installed package that a module belongs to; undefined for our own modules and the bundler's. */
function packageFolder(module: string): string | undefined {
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(module)?.[0];
}

function licenceText(folder: string): string | undefined {
  const file = readdirSync(folder)
    .sort()
    .find((name) => /^(licen[cs]e|copying)/i.test(name));
  if (file === undefined) return undefined;
  const text = readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n");
  return text.replaceAll(/[ \t]+$/gm, "").trim();
}

function licenceOf({ license, licenses }: Manifest): string {
  return license ?? licenses?.map(({ type }) => type).join(" or ") ?? "no licence stated";
}

function authorOf({ author, name }: Manifest): string {
  if (author === undefined) return `The authors of ${name}`;
  return typeof author === "string" ? author : author.name;
}
