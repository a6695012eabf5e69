#!/usr/bin/env node
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `portico needs Node.js 22.18 or newer; this is ${process.versions.node}. Install a current one from https://nodejs.org or run it with npx inside the checkout.\n`,
  );
  process.exit(1);
}
// Collect at twice of what lives, not at a multiple that a large machine suggests: memory stays level under churn.
// docs/gateway/speed-paths.md has the figures.
const { setFlagsFromString } = await import("node:v8");
setFlagsFromString("--heap-growing-percent=100");
const { enableCompileCache } = await import("node:module");
enableCompileCache?.();
await import("../dist/main.js");
