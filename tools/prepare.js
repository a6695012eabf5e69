import { spawnSync } from "node:child_process";

/**
 * npm runs this after an installation in a checkout, and before it packs the repository, as `pre-commit` has it do for
 * its hooks: `npm install --global git+file://...`. There npm hands `global` on to the installation of what the build
 * needs, which therefore never comes about, so that it is made up for here; only Jetblack is built then.
 * Plain JavaScript, so that a Node.js that is too old gets to say so.
 */
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18))
  fail(
    `Building needs Node.js 22.18 or newer; this is ${process.versions.node}. Put a current one first on the PATH, or name one as language_version of the pre-commit hook.`,
  );

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
  const { status, error } = spawnSync(process.execPath, [process.env.npm_execpath, ...args], {
    stdio: "inherit",
  });
  if (error !== undefined) fail(`npm ${args[0]} cannot be run: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

function fail(reason) {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}
