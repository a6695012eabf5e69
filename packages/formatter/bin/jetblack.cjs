#!/usr/bin/env node
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) require("./newer-node.cjs").rerun("jetblack");
else require("../dist/command/launch.cjs");
