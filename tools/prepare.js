import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { delimiter, dirname } from "node:path";

/**
 * npm runs this after an installation in a checkout, and before it packs the repository, as `pre-commit` has it do for
 * its hooks: `npm install --global git+file://...`. There npm hands `global` on to the installation of what the build
 * needs, which therefore never comes about, so that it is made up for here; only Jetblack is built then.
 * Plain JavaScript, so that a Node.js that is too old can look for a newer one.
 */
const { findNewerNode, isNewEnough } = createRequire(import.meta.url)(
  "../packages/formatter/bin/newer-node.cjs",
);
const node = isNewEnough(process.version) ? process.execPath : findNewerNode();
if (node === undefined)
  fail(
    `Building needs Node.js 22.18 or newer; this is ${process.versions.node}. Put a current one on the PATH, or name one as language_version of the pre-commit hook.`,
  );
// npm starts further programs by the name of Node.js.
process.env.PATH = dirname(node) + delimiter + process.env.PATH;

if (process.env.npm_config_global === "true") {
  npm(
    "install",
    "--no-global",
    "--no-install-links",
    "--ignore-scripts",
    "--include=dev",
    "--workspace=jetblack",
    "--include-workspace-root",
  );
  npm("run", "build", "--no-global", "--workspace=jetblack");
} else npm("run", "build");

/** Runs npm, the one that runs this, and ends with its exit code when it fails. */
function npm(...args) {
  const { status, error } = spawnSync(node, [process.env.npm_execpath, ...args], {
    stdio: "inherit",
  });
  if (error !== undefined) fail(`npm ${args[0]} cannot be run: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

function fail(reason) {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}
