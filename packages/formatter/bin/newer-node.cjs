/**
 * For a Node.js that is too old: finds a newer one further down the PATH. pre-commit, for one, puts the `nodejs` of
 * Debian before the `node` that somebody has installed beside it. Written for every Node.js that may start it.
 */
const { spawnSync } = require("node:child_process");
const { delimiter, join } = require("node:path");

/** Whether a version such as `v22.18.0` runs our programs. */
function isNewEnough(version) {
  const [major, minor] = version.replace("v", "").split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 18);
}

/** The path of the first Node.js on the PATH that is new enough; undefined without one. */
function findNewerNode() {
  for (const folder of (process.env.PATH || "").split(delimiter)) {
    for (const name of folder === "" ? [] : ["node", "nodejs"]) {
      const path = join(folder, name);
      const { stdout, status } = spawnSync(path, ["--version"], { encoding: "utf8" });
      if (status === 0 && isNewEnough(stdout)) return path;
    }
  }
  return undefined;
}

/** Runs this very program by a newer Node.js, and ends as it does. */
function rerun(command) {
  const node = findNewerNode();
  if (node === undefined) {
    process.stderr.write(
      `${command} needs Node.js 22.18 or newer; this is ${process.versions.node}. Install a current one from https://nodejs.org or run it with npx inside the checkout.\n`,
    );
    process.exit(1);
  }
  const { status, signal } = spawnSync(node, process.argv.slice(1), { stdio: "inherit" });
  if (signal !== null) process.kill(process.pid, signal);
  else process.exit(status);
}

module.exports = { findNewerNode, isNewEnough, rerun };
