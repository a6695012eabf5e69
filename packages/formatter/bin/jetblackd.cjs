#!/usr/bin/env node
const { run } = require("./run.cjs");
run("jetblackd", "../dist/daemon.js");
