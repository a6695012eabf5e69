import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

/**
 * Data flows one way: each package lists its folders in `layers.json` in the order in which a request, or a file,
 * travels, and a file imports only from its own layer or from those below it.
 */
const packagesFolder = resolve(import.meta.dirname, "../packages");
const importPattern =
  /(?:import|export)\s[^"';]*?from\s*"(\.[^"]+)"|import\(\s*"(\.[^"]+)"\s*\)|import\s+"(\.[^"]+)"/g;

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

function isTest(file: string): boolean {
  return /\.(test|suite)\.ts$/.test(file);
}

/**
 * Index of the layer that holds a file; -1 when `layers.json` does not name it. A file at the top of the sources that is
 * not named stands above every folder.
 */
function layerOf(file: string, src: string, layers: readonly string[]): number {
  const path = relative(src, file);
  if (!path.includes("/") && !layers.includes(path)) return -0.5;
  return layers.findIndex((layer) => path === layer || path.startsWith(`${layer}/`));
}

/** Files that a file imports from; without `types`, only those that are still there when it runs. */
function importsOf(file: string, { types = true } = {}): string[] {
  return [...readFileSync(file, "utf8").matchAll(importPattern)]
    .filter(([statement]) => types || !/^(?:import|export)\s+type\b/.test(statement))
    .map((match) => resolve(dirname(file), (match[1] ?? match[2] ?? match[3])!));
}

const packages = readdirSync(packagesFolder).filter((name) =>
  existsSync(join(packagesFolder, name, "layers.json")),
);

describe.each(packages)("%s", (name) => {
  const src = join(packagesFolder, name, "src");
  const layers = JSON.parse(readFileSync(join(packagesFolder, name, "layers.json"), "utf8")) as string[];
  const files = sourceFiles(src);

  it("lists every file's layer", () => {
    expect(
      files.filter((file) => layerOf(file, src, layers) === -1).map((file) => relative(src, file)),
    ).toEqual([]);
  });

  it("imports point down only", () => {
    const upward = files
      .filter((file) => !isTest(file))
      .flatMap((file) =>
        importsOf(file)
          .filter((target) => layerOf(target, src, layers) < layerOf(file, src, layers))
          .map((target) => `${relative(src, file)} -> ${relative(src, target)}`),
      );
    expect(upward).toEqual([]);
  });

  it("has no import cycles", () => {
    const state = new Map<string, "open" | "done">();
    const cycles: string[] = [];
    const visit = (file: string, trail: readonly string[]): void => {
      if (state.get(file) === "done" || !existsSync(file)) return;
      if (state.get(file) === "open") {
        const cycle = [...trail.slice(trail.indexOf(file)), file].map((path) => relative(src, path));
        if (!isRecursiveGrammar(name, cycle)) cycles.push(cycle.join(" -> "));
        return;
      }
      state.set(file, "open");
      for (const target of importsOf(file, { types: false })) visit(target, [...trail, file]);
      state.set(file, "done");
    };
    for (const file of files) visit(file, []);
    expect(cycles).toEqual([]);
  });

  it("keeps files short enough to read", () => {
    const long = files
      .filter((file) => !isTest(file) && !file.includes("/generated/"))
      .map((file) => ({ file: relative(src, file), lines: readFileSync(file, "utf8").split("\n").length }))
      .filter(({ file, lines }) => lines > (longFiles.has(`${name}/${file}`) ? 800 : 400));
    expect(long).toEqual([]);
  });
});

/** Packages of features, a folder each, whose `features.json` says what stands on which of them: others, and commands. */
const withFeatures = packages.filter((name) => existsSync(join(packagesFolder, name, "features.json")));

describe.each(withFeatures)("features of %s", (name) => {
  const features = join(packagesFolder, name, "src/features");
  const listed = JSON.parse(readFileSync(join(packagesFolder, name, "features.json"), "utf8")) as Readonly<
    Record<string, readonly string[]>
  >;
  const src = join(packagesFolder, name, "src");
  const featureOf = (file: string): string => relative(features, file).split("/")[0]!;
  /** A feature, or the folder that a file outside them is in; nothing for the one that opens them all. */
  const standing = (file: string): string | undefined => {
    if (file.startsWith(`${features}/`)) return featureOf(file);
    return relative(src, file) === "app.ts" ? undefined : relative(src, dirname(file));
  };

  it("are imported by what is listed, and nothing is listed that no import needs", () => {
    const needed = new Map<string, Set<string>>();
    for (const file of sourceFiles(src).filter((file) => !isTest(file)))
      for (const target of importsOf(file).filter((target) => target.startsWith(`${features}/`))) {
        const place = standing(file);
        if (place !== undefined && featureOf(target) !== place)
          needed.set(place, (needed.get(place) ?? new Set()).add(featureOf(target)));
      }
    const sorted = [...needed].map(([place, others]) => [place, [...others].sort()] as const);
    expect(Object.fromEntries(sorted)).toEqual(listed);
  });

  it("do not stand on each other in a circle", () => {
    const standsOn = (feature: string, seen: readonly string[] = []): readonly string[] =>
      seen.includes(feature)
        ? [feature]
        : (listed[feature] ?? []).flatMap((other) => [other, ...standsOn(other, [...seen, feature])]);
    expect(Object.keys(listed).filter((feature) => standsOn(feature).includes(feature))).toEqual([]);
  });
});

/** Files that may reach 800 lines, because splitting them would hide the state machine they are. */
const longFiles = new Set(["formatter/tokenize/tokenizer.ts"]);

/** Python's grammar is recursive, and so is a parser with one function for each of its rules. */
const recursiveFolders = ["formatter/parse/", "formatter/tokenize/"];

function isRecursiveGrammar(name: string, cycle: readonly string[]): boolean {
  return recursiveFolders.some((folder) => cycle.every((path) => `${name}/${path}`.startsWith(folder)));
}
