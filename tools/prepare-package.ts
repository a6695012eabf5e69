import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { noticesFile } from "./third-party-notices.ts";

/**
 * Run in a package before it is packed: puts the notices of what is bundled beside the bundles, and writes to
 * `dist/types` the types that its entry points export with those that they refer to.
 */
const source = resolve("src");
const types = resolve("dist/types");
/** What can be imported from a package: all of them have the first, Jetblack the others. */
const entries = ["index", "browser/index", "editor/index"].filter((name) =>
  existsSync(join(source, `${name}.ts`)),
);
const workspace = resolve(import.meta.dirname, "..");

refusePublishingWithoutAddress();
copyFileSync(noticesFile, resolve("dist/THIRD-PARTY-NOTICES.md"));
const emitted = mkdtempSync(join(tmpdir(), "declare-types-"));
try {
  emit();
  rmSync(types, { recursive: true, force: true });
  for (const file of reachableFrom(entries.map((name) => join(emitted, `${name}.d.ts`))))
    cpSync(file, join(types, relative(emitted, file)));
} finally {
  rmSync(emitted, { recursive: true, force: true });
}

/**
 * A registry shows the README with links and pictures that lead into the repository. It can follow them only where the
 * manifest says where the repository is.
 */
function refusePublishingWithoutAddress(): void {
  const { repository } = JSON.parse(readFileSync("package.json", "utf8")) as { repository?: unknown };
  if (process.env.npm_command === "publish" && repository === undefined)
    throw new Error(
      "package.json lacks `repository`; the README's links would break. See CONTRIBUTING, Publish.",
    );
}

/** The compiler writes declarations of everything that is imported, however far away. */
function emit(): void {
  const project = join(emitted, "tsconfig.json");
  const compilerOptions = {
    noEmit: false,
    // `npm run types` checks them.
    noCheck: true,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: source,
    outDir: emitted,
    lib: ["es2024", "dom"],
    typeRoots: [join(workspace, "node_modules/@types")],
  };
  const files = entries.map((name) => join(source, `${name}.ts`));
  writeFileSync(
    project,
    JSON.stringify({ extends: join(workspace, "tsconfig.json"), compilerOptions, files, include: [] }),
  );
  const compiler = join(workspace, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [compiler, "--project", project], { stdio: "inherit" });
}

/** The declarations that these need, themselves included. */
function reachableFrom(entries: readonly string[]): Set<string> {
  const found = new Set<string>();
  const pending = [...entries];
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    for (const [, target] of readFileSync(file, "utf8").matchAll(/(?:from|import\()\s*"(\.[^"]+)\.ts"/g))
      pending.push(resolve(dirname(file), `${target}.d.ts`));
  }
  return found;
}
