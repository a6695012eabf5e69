#!/usr/bin/env node
const [major, minor] = process.versions.node.split(".").map(Number);
const { createRequire, enableCompileCache } = await import("node:module");
if (major < 22 || (major === 22 && minor < 18))
  createRequire(import.meta.url)("./newer-node.cjs").rerun("jetblackd");
enableCompileCache?.();
await import("../dist/daemon.js");
