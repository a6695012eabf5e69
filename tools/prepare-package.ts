import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { noticesFile } from "./third-party-notices.ts";

/**
 * Run in a package before it is packed: puts the notices of what is bundled beside the bundles, and writes to
 * `dist/types` the types that `src/index.ts` exports with those that they refer to.
 */
const source = resolve("src");
const types = resolve("dist/types");
const workspace = resolve(import.meta.dirname, "..");

refusePublishingWithoutAddress();
copyFileSync(noticesFile, resolve("dist/THIRD-PARTY-NOTICES.md"));
const emitted = mkdtempSync(join(tmpdir(), "declare-types-"));
try {
  emit();
  rmSync(types, { recursive: true, force: true });
  for (const file of reachableFrom(join(emitted, "index.d.ts")))
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
    typeRoots: [join(workspace, "node_modules/@types")],
  };
  const files = [join(source, "index.ts")];
  writeFileSync(
    project,
    JSON.stringify({ extends: join(workspace, "tsconfig.json"), compilerOptions, files, include: [] }),
  );
  const compiler = join(workspace, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [compiler, "--project", project], { stdio: "inherit" });
}

/** The declarations that one needs, itself included. */
function reachableFrom(entry: string): Set<string> {
  const found = new Set<string>();
  const pending = [entry];
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    for (const [, target] of readFileSync(file, "utf8").matchAll(/(?:from|import\()\s*"(\.[^"]+)\.ts"/g))
      pending.push(resolve(dirname(file), `${target}.d.ts`));
  }
  return found;
}
