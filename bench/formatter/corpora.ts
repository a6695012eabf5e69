import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { cacheFolder, pythonEnvironment } from "../../packages/formatter/conformance/black.ts";
import { jetblackProgram } from "./contestants.ts";

const WOULD_REFORMAT = "would reformat ";

const DJANGO = "Django==5.2";

/** Packages with nothing but Python in them, so that every machine gets the same. */
const PACKAGES = ["transformers==4.48.0", "sympy==1.13.3", "networkx==3.4.2", "SQLAlchemy==2.0.37"];

/** The same of such that mostly do not use Black. */
const UNFORMATTED_PACKAGES = ["ansible==12.0.0", "sympy==1.14.0", "Twisted==25.5.0", "nltk==3.9.1"];

const UNFORMATTED_FILES = 10_000;

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

/** A tree several times as large. */
export function largeCorpus(): Corpus {
  return { name: PACKAGES.join(", "), folder: packages(PACKAGES) };
}

/** Files of which Black would change each one. */
export function unformattedCorpus(): Corpus {
  const source = packages(UNFORMATTED_PACKAGES);
  const folder = `${source}-unformatted`;
  if (!existsSync(folder))
    for (const path of changedFiles(source).slice(-UNFORMATTED_FILES))
      cpSync(join(source, path), join(folder, path));
  return { name: "10,000 unformatted files", folder };
}

/** Paths, relative to the folder, of the files that are not yet as Black has them. */
function changedFiles(folder: string): string[] {
  const command = [jetblackProgram, "--check", "--no-cache", folder];
  const { stderr } = spawnSync(process.execPath, command, { encoding: "utf8", maxBuffer: 1e9 });
  return stderr
    .split("\n")
    .filter((line) => line.startsWith(WOULD_REFORMAT))
    .map((line) => relative(folder, line.slice(WOULD_REFORMAT.length)));
}

function django(): string {
  const folder = join(cacheFolder(), "speed", "django");
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

function packages(requirements: readonly string[]): string {
  const folder = join(cacheFolder(), "large", createHash("sha256").update(requirements.join()).digest("hex"));
  if (existsSync(folder)) return folder;
  const unpacked = `${folder}-unpacked`;
  const bin = pythonEnvironment("download", ["setuptools"]);
  const portable = ["--only-binary", ":all:", "--platform", "any", "--python-version", "3.12"];
  const place = ["--no-deps", "--no-compile", "--target", unpacked];
  execFileSync(join(bin, "python"), [
    "-m",
    "pip",
    "install",
    "--quiet",
    ...portable,
    ...place,
    ...requirements,
  ]);
  copyPython(unpacked, folder);
  rmSync(unpacked, { recursive: true });
  return folder;
}

/** Without its tests, as a copy that nothing else touches. */
function standardLibrary(): string {
  const folder = join(cacheFolder(), "speed", "stdlib");
  if (existsSync(folder)) return folder;
  const source = execFileSync("python3", ["-c", "import sysconfig; print(sysconfig.get_path('stdlib'))"])
    .toString()
    .trim();
  copyPython(source, folder, /\/(test|tests|site-packages|dist-packages|__pycache__)$/);
  return folder;
}

/** Copies a tree's Python files, without the unwanted folders. */
function copyPython(source: string, target: string, unwanted?: RegExp): void {
  cpSync(source, target, {
    recursive: true,
    filter: (path) => unwanted?.test(path) !== true && (statSync(path).isDirectory() || path.endsWith(".py")),
  });
}

/** Paths of the Python files below a folder, relative to it, in their order. */
export function pythonFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".py"))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

/** Number and bytes of the Python files below a folder. */
export function sizeOf(folder: string): { files: number; bytes: number } {
  const files = pythonFiles(folder);
  return {
    files: files.length,
    bytes: files.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0),
  };
}

/** Copies every so-many-th Python file of the corpora to a folder: Black takes minutes for a whole tree. */
export function makeSample(sources: readonly Corpus[], every: number, target: string): void {
  for (const { folder } of sources)
    pythonFiles(folder).forEach((path, index) => {
      if (index % every === 0)
        cpSync(join(folder, path), join(target, basename(folder), path), { recursive: true });
    });
}
