#!/usr/bin/env node
const { run } = require("./run.cjs");
run("jetblack-lsp", "../dist/lsp.js");
