#!/usr/bin/env node
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) require("./newer-node.cjs").rerun("jetblack");
else {
  // As `require` does, without looking along the path, for links and for a package.json: a twentieth of a short run.
  const { dirname } = require("node:path");
  const folder = `${dirname(__dirname)}/dist/command`;
  const filename = `${folder}/launch.cjs`;
  const source = require("node:fs").readFileSync(filename, "utf8");
  const wrapped = `(function (exports, require, module, __filename, __dirname) {${source}\n})`;
  const start = new (require("node:vm").Script)(wrapped, { filename }).runInThisContext();
  start(exports, require, module, filename, folder);
}
