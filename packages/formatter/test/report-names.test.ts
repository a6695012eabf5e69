import { afterEach, beforeEach, expect, test } from "vitest";
import { Sandbox } from "./sandbox.ts";

/** A file name with what each form of report gives a meaning of its own. */
const name = "a\n::error::b\t\r%0A,c:d\"'<&>\x01é 1.py";

let sandbox: Sandbox;
let report: (form: string) => string;
beforeEach(() => {
  sandbox = new Sandbox();
  sandbox.write(name, "x  = 1\n");
  report = (form) => sandbox.run(["-q", "--check", "--report", form, name]).stdout;
});
afterEach(() => sandbox.remove());

test("a file's name makes no further command of a report for GitHub", () => {
  const lines = report("github").trimEnd().split("\n");
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^::warning file=[^:,\r]+,line=1,title=jetblack::The file would be reformatted$/);
});

test("a file's name is whole in JSON and in a report for GitLab", () => {
  expect(JSON.parse(report("json")).files[0].path).toBe(name);
  expect(JSON.parse(report("gitlab"))[0].location.path).toBe(name);
});

test("a file's name is an address in SARIF", () => {
  const [{ results }] = JSON.parse(report("sarif")).runs;
  expect(decodeURIComponent(results[0].locations[0].physicalLocation.artifactLocation.uri)).toBe(name);
});

test("a file's name breaks no attribute of JUnit's XML", () => {
  expect(report("junit")).toContain(
    'name="a&#10;::error::b&#9;&#13;%0A,c:d&#34;\'&#60;&#38;&#62;\\x1é 1.py">',
  );
});
