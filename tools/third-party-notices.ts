import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** `npm run notices` writes THIRD-PARTY-NOTICES.md: what the bundles contain beside our own code, with its licences. */
const workspace = resolve(import.meta.dirname, "..");

/** Where the notices are kept. */
export const noticesFile = join(workspace, "THIRD-PARTY-NOTICES.md");

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly licenses?: readonly { readonly type: string }[];
  readonly author?: string | { readonly name: string };
}

if (process.argv[1] === import.meta.filename) writeFileSync(noticesFile, thirdPartyNotices());

/** The notices for the production dependencies that package-lock.json names; each text once, below its packages. */
export function thirdPartyNotices(): string {
  const packagesByText = new Map<string, string[]>();
  for (const folder of productionFolders()) {
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

function productionFolders(): string[] {
  const lock = JSON.parse(readFileSync(join(workspace, "package-lock.json"), "utf8")) as {
    packages: Record<string, LockedPackage>;
  };
  return Object.entries(lock.packages)
    .filter(([path, { dev, link }]) => path.startsWith("node_modules/") && !dev && !link)
    .map(([path]) => join(workspace, path));
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
