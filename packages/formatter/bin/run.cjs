/**
 * Runs one of the bundles that are ES modules; by a newer Node.js where this one is too old. Written for every Node.js
 * that may start it.
 */
exports.run = (command, bundle) => {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < 22 || (major === 22 && minor < 18)) require("./newer-node.cjs").rerun(command);
  // Node.js never comes back from making a folder below one like /proc.
  const { existsSync } = require("node:fs");
  if (existsSync(require("node:os").tmpdir())) require("node:module").enableCompileCache();
  return import(bundle);
};
