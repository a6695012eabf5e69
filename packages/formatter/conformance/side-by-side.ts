import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { productVersion, styleVersion } from "../src/mode/versions.ts";
import { pythonEnvironment } from "./black.ts";
import { startDaemon } from "./daemon.ts";
import { expectSame } from "./expect-same.ts";

/** What only the other version says. */
const OTHER = { version: "9.8.7", style: "99.8.7", context: "can by no means parse" };
const OURS = { version: productVersion, style: styleVersion, context: "cannot parse" };

/** What a version of the package answers in one environment. */
interface Answers {
  readonly version: string;
  readonly style: string;
  readonly context: string;
}

/**
 * Two versions of the Python package in environments of one user, with a cache that both use: commands, daemons that run
 * at the same time and the functions answer as their own version does.
 *
 * @param wheel of this version
 * @param source its source distribution, of which the other version is made
 * @param base a folder of the caller's
 */
export async function checkSideBySide(
  wheel: string,
  source: string,
  base: string,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const folder = join(base, "side by side");
  mkdirSync(folder);
  const other = makeOtherVersion(source, folder);
  const env = { ...environment, JETBLACK_CACHE_DIR: join(folder, "cache"), JETBLACK_NODE: process.execPath };
  const install = (name: string, archive: string): string => {
    const bin = join(folder, name, "bin");
    execFileSync("python3", ["-m", "venv", join(folder, name)], { env });
    const options = ["--quiet", "--disable-pip-version-check", "--no-deps"];
    execFileSync(join(bin, "pip"), ["install", ...options, archive], { env, stdio: "pipe" });
    return bin;
  };
  const ours = install("ours", wheel);
  const theirs = install("theirs", other);
  const daemons = await Promise.all(
    [ours, theirs].map((bin) => startDaemon(join(bin, "jetblackd"), [], env)),
  );
  try {
    const versions: readonly [string, Answers][] = [
      [ours, OURS],
      [theirs, OTHER],
    ];
    for (const [at, [bin, expected]] of versions.entries()) {
      // The other environment's commands come first on the PATH.
      const strangers = versions[1 - at]![0];
      const mixed = { ...env, PATH: [strangers, environment.PATH].join(delimiter) };
      const answer = await fetch(`http://127.0.0.1:${daemons[at]!.port}/`, { method: "POST", body: "x = (" });
      expectSame(
        `${expected.version} beside another version: its daemon`,
        [answer.headers.get("x-black-version"), (await answer.text()).includes(`${expected.context}:`)],
        [expected.style, true],
      );
      expectSame(
        `${expected.version}: its commands`,
        ["jetblack", "jetblackd", "jetblack-lsp"].map((name) =>
          execFileSync(join(bin, name), ["--version"], { env: mixed, encoding: "utf8" }).includes(
            expected.version,
          ),
        ),
        [true, true, true],
      );
      const called = execFileSync(join(bin, "python"), ["-c", FUNCTIONS], { env: mixed, encoding: "utf8" });
      expectSame(`${expected.version}: its functions`, JSON.parse(called), [
        expected.version,
        true,
        `${expected.context}:`,
      ]);
    }
  } finally {
    for (const { process: daemon } of daemons) {
      const ended = once(daemon, "exit");
      daemon.kill();
      await ended;
    }
  }
  checkCache(folder, env, ours, theirs);
}

/** Its version, whether its process is the one of its environment, and what this says of a fault. */
const FUNCTIONS = `
import json, jetblack
from jetblack import _service
from jetblack._node import BUNDLE
try:
    jetblack.format_str("x = (")
except jetblack.InvalidInput as error:
    said = str(error)
    said = said[: said.index(":") + 1]
program = _service._process._child._process.args[1]
print(json.dumps([jetblack.__version__, program.startswith(BUNDLE), said]))
`;

/** A file that one version knows as formatted is unknown to the other, and both remember it from then on. */
function checkCache(folder: string, env: NodeJS.ProcessEnv, ours: string, theirs: string): void {
  const file = join(folder, "formatted.py");
  writeFileSync(file, "x = 1\n");
  const knows = (bin: string): boolean => {
    const args = ["-c", 'exec "$0" -v "$1" 2>&1', join(bin, "jetblack"), file];
    return execFileSync("sh", args, { env, encoding: "utf8" }).includes(
      "wasn't modified on disk since last run",
    );
  };
  const known = [ours, ours, theirs, theirs, ours].map(knows);
  expectSame("each version has a cache of its own", known, [false, true, false, true, true]);
}

/** A wheel of another version, made of the source distribution. */
function makeOtherVersion(source: string, folder: string): string {
  const copy = join(folder, "copy");
  mkdirSync(copy);
  execFileSync("tar", ["-xzf", source, "-C", copy, "--strip-components", "1"]);
  const files = readdirSync(copy, { recursive: true, encoding: "utf8" }).filter((name) =>
    /^PKG-INFO$|formatter\/package\.json$|_bundle\/dist\/.*js$/.test(name),
  );
  for (const name of files) {
    const path = join(copy, name);
    let text = readFileSync(path, "utf8");
    for (const key of ["version", "style", "context"] as const) text = text.replaceAll(OURS[key], OTHER[key]);
    writeFileSync(path, text);
  }
  const python = join(pythonEnvironment("build-1.6", ["build>=1.6,<2"]), "python");
  const built = join(dirname(copy), "other");
  execFileSync(python, ["-m", "build", "--wheel", "--outdir", built, copy], { stdio: "pipe" });
  return join(built, readdirSync(built)[0]!);
}
