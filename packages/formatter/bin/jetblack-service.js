#!/usr/bin/env node
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";

const [major, minor] = process.versions.node.split(".").map(Number);
const { createRequire, enableCompileCache } = await import("node:module");
if (major < 22 || (major === 22 && minor < 18))
  createRequire(import.meta.url)("./newer-node.cjs").rerun("jetblack");
// Node.js never comes back from making a folder below one like /proc.
if (existsSync(tmpdir())) enableCompileCache?.();
await import("../dist/service.js");
