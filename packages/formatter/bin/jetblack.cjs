#!/usr/bin/env node
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `jetblack needs Node.js 22.18 or newer; this is ${process.versions.node}. Install a current one from https://nodejs.org or run it with npx inside the checkout.\n`,
  );
  process.exit(1);
}
require("../dist/command/launch.cjs");
