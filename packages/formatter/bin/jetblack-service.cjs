#!/usr/bin/env node
const { run } = require("./run.cjs");
run("jetblack", "../dist/service.js");
