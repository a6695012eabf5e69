/** What is there for speed alone changes nothing: runs with and without each such path say and write the same. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { speedPaths } from "../src/util/speed-paths.ts";
import { Sandbox } from "./sandbox.ts";

const messy = "def f( a, b = 'c' ):\n    return {'a':1,\n      'b' : [a,b]}\n";
const notebook = {
  cells: [{ cell_type: "code", execution_count: null, id: "a", metadata: {}, outputs: [], source: ["x=1"] }],
  metadata: { language_info: { name: "python" } },
  nbformat: 4,
  nbformat_minor: 5,
};

/** Everything that runs say about a tree, and what they leave. The first run knows nothing, others something. */
function runsWithout(paths: string): unknown[] {
  const sandbox = new Sandbox();
  try {
    sandbox.write("pyproject.toml", "[tool.black]\nline-length = 60\n");
    sandbox.write(".gitignore", "ignored.py\n");
    sandbox.write("ignored.py", messy);
    sandbox.write("messy.py", messy);
    sandbox.write("deep/neat.py", 'x = {"a": 1}\n\n\n@f(a, b)\ndef g() -> None:\n    return a and b\n');
    sandbox.write("deep/broken.py", "a b\n");
    sandbox.write("deep/stub.pyi", "class A:\n\n    def f( self ): ...\n");
    sandbox.write("notebook.ipynb", JSON.stringify(notebook));
    // As much as it takes for a second thread.
    sandbox.write("long.py", messy.repeat(15_000));
    const env = { JETBLACK_WITHOUT: paths };
    // As many as a hook may name.
    const named = new Array<string>(500).fill("deep/neat.py");
    const said = [
      ["--diff"],
      ["--check", ...named],
      ["--check"],
      ["-W2"],
      ["-W2", ...named],
      ["--check", "-v"],
    ].map((flags) => {
      const { exitCode, stdout, stderr } = sandbox.run([...flags, "."], { env });
      const times = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+\+00:00/g;
      return [
        exitCode,
        ...[stdout, stderr].map((text) => text.replaceAll(sandbox.folder, "").replace(times, "")),
      ];
    });
    const files = readdirSync(sandbox.folder, { recursive: true, encoding: "utf8" }).sort();
    const texts = files
      .filter((name) => /\.\w+$/.test(name))
      .map((name) => readFileSync(join(sandbox.folder, name), "utf8"));
    return [said, files, texts];
  } finally {
    sandbox.remove();
  }
}

const expected = runsWithout("");

test("the runs do something", () => {
  expect(JSON.stringify(expected)).toContain(
    "4 files reformatted, 1 file left unchanged, 1 file failed to reformat.",
  );
});

test.each([...speedPaths, speedPaths.join(",")])("without %s nothing is another", (paths) => {
  expect(runsWithout(paths)).toEqual(expected);
});
