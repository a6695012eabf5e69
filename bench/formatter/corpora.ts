import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { cacheFolder, pythonEnvironment } from "../../packages/formatter/conformance/black.ts";

const DJANGO = "Django==5.2";

/** A tree of Python files. */
export interface Corpus {
  readonly name: string;
  readonly folder: string;
}

/** Django's source distribution from PyPI and the standard library of the installed Python, fetched on first use. */
export function corpora(): Corpus[] {
  return [
    { name: DJANGO, folder: django() },
    { name: "Python's standard library", folder: standardLibrary() },
    { name: "Both trees in one run", folder: dirname(django()) },
  ];
}

function django(): string {
  const folder = join(cacheFolder(), "corpora", "django");
  if (existsSync(folder)) return folder;
  const bin = pythonEnvironment("download", ["setuptools"]);
  const downloads = join(cacheFolder(), "downloads");
  execFileSync(join(bin, "python"), [
    "-m",
    "pip",
    "download",
    "--no-deps",
    "--no-binary",
    ":all:",
    "--dest",
    downloads,
    DJANGO,
  ]);
  const archive = readdirSync(downloads).find((name) => /^django-.*\.tar\.gz$/i.test(name));
  if (archive === undefined) throw new Error("pip left no source distribution of Django");
  mkdirSync(folder, { recursive: true });
  execFileSync("tar", ["-xzf", join(downloads, archive), "-C", folder]);
  return folder;
}

/** Without its tests, as a copy that nothing else touches. */
function standardLibrary(): string {
  const folder = join(cacheFolder(), "corpora", "stdlib");
  if (existsSync(folder)) return folder;
  const source = execFileSync("python3", ["-c", "import sysconfig; print(sysconfig.get_path('stdlib'))"])
    .toString()
    .trim();
  const isWanted = (path: string): boolean =>
    !/\/(test|tests|site-packages|dist-packages|__pycache__)$/.test(path);
  cpSync(source, folder, {
    recursive: true,
    filter: (path) => isWanted(path) && (statSync(path).isDirectory() || path.endsWith(".py")),
  });
  return folder;
}

/** Number and bytes of the Python files below a folder. */
export function sizeOf(folder: string): { files: number; bytes: number } {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const python = entries.filter((entry) => entry.isFile() && entry.name.endsWith(".py"));
  const bytes = python.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  return { files: python.length, bytes };
}

/** Copies every so-many-th Python file of the corpora to a folder: Black takes minutes for a whole tree. */
export function makeSample(sources: readonly Corpus[], every: number, target: string): void {
  for (const { folder } of sources) {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile() && entry.name.endsWith(".py"))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
    paths.forEach((path, index) => {
      if (index % every === 0)
        cpSync(path, join(target, basename(folder), relative(folder, path)), { recursive: true });
    });
  }
}
