import { chmodSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Sandbox } from "./sandbox.ts";

const messy = "x = { 'a':1,\n 'b':2 }\n";
const neat = 'x = {"a": 1, "b": 2}\n';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(() => sandbox.remove());

const contents = (path: string): string => readFileSync(join(sandbox.folder, path), "utf8");

describe("files", () => {
  test("a changed file is rewritten, an unchanged one keeps its time, a broken one stays", () => {
    sandbox.write("a.py", messy);
    sandbox.write("b.py", neat);
    sandbox.write("c.py", "def f(:\n");
    const before = statSync(join(sandbox.folder, "b.py")).mtimeMs;
    const { exitCode, stderr } = sandbox.run(["."]);
    expect(exitCode).toBe(123);
    expect(stderr).toContain("1 file reformatted, 1 file left unchanged, 1 file failed to reformat.");
    expect(stderr).toMatch(/error: cannot parse: .*c\.py:1:6\n {4}def f\(:\n {9}\^\nParseError: bad input/);
    expect([contents("a.py"), contents("c.py")]).toEqual([neat, "def f(:\n"]);
    expect(statSync(join(sandbox.folder, "b.py")).mtimeMs).toBe(before);
  });

  test("--check writes nothing and tells by its exit code", () => {
    sandbox.write("a.py", messy);
    expect(sandbox.run(["--check", "a.py"]).exitCode).toBe(1);
    expect(contents("a.py")).toBe(messy);
    sandbox.write("a.py", neat);
    expect(sandbox.run(["--check", "a.py"]).exitCode).toBe(0);
  });

  test("messages of many files come in the order of their paths, with several threads too", () => {
    for (let i = 0; i < 40; i++)
      sandbox.write(`d/f${String(i).padStart(2, "0")}.py`, messy.repeat(1 + (i % 7) * 400));
    const { stderr } = sandbox.run(["-W3", "."]);
    const names = [...stderr.matchAll(/reformatted .*\/(f\d\d\.py)/g)].map((match) => match[1]);
    expect(names).toEqual(names.toSorted());
    expect(names).toHaveLength(40);
  });

  test("a second run takes well-formatted files from the cache, unless options differ", () => {
    sandbox.write("a.py", messy);
    sandbox.run(["a.py"]);
    expect(sandbox.run(["-v", "a.py"]).stderr).toContain("a.py wasn't modified on disk since last run.");
    expect(sandbox.run(["-v", "-l", "20", "--check", "a.py"]).stderr).not.toContain("wasn't modified");
    expect(sandbox.run(["-v", "--no-cache", "a.py"]).stderr).toContain("already well formatted");
  });

  test("a second run says the same of what is no Python, under whatever path, until the file changes", () => {
    sandbox.write("a.py", "def f(:\n");
    const first = sandbox.run(["a.py"]);
    expect(first.exitCode).toBe(123);
    expect(sandbox.run(["a.py"])).toEqual(first);
    expect(sandbox.run(["."]).stderr).toContain(`cannot parse: ${sandbox.folder}/a.py:1:6\n    def f(:`);
    const report = sandbox.run(["--report", "json", "-q", "a.py"]).stdout;
    expect(JSON.parse(report)).toMatchObject({
      files: [{ path: "a.py", outcome: "failed", line: 1, column: 7 }],
    });
    sandbox.write("a.py", messy);
    expect(sandbox.run(["a.py"]).exitCode).toBe(0);
    expect(contents("a.py")).toBe(neat);
  });

  test("line ends, encoding and byte order mark stay as they are", () => {
    sandbox.write("crlf.py", "x = 'a'\r\n");
    sandbox.write("latin.py", Buffer.from("# coding: latin-1\nx = '\xe9'\n", "latin1"));
    sandbox.write("bom.py", "\ufeffx = 'a'\n");
    sandbox.run(["."]);
    expect(contents("crlf.py")).toBe('x = "a"\r\n');
    expect(readFileSync(join(sandbox.folder, "latin.py")).toString("latin1")).toBe(
      '# coding: latin-1\nx = "\xe9"\n',
    );
    expect(contents("bom.py")).toBe('\ufeffx = "a"\n');
  });

  test("--skip-source-first-line leaves a first line that is not Python alone", () => {
    sandbox.write("a.py", "not python !!\nx = 'a'\n");
    sandbox.run(["-x", "a.py"]);
    expect(contents("a.py")).toBe('not python !!\nx = "a"\n');
  });
});

describe("runs over known files", () => {
  test("say the same again, until a file changes", async () => {
    sandbox.write("a.py", "a = 1\n");
    sandbox.write("bad.py", "a b\n");
    const made = sandbox.run(["."]);
    expect(made).toMatchObject({ exitCode: 123, stdout: "" });
    expect(made.stderr).toContain("1 file left unchanged, 1 file failed to reformat.");
    // Until times of change are old enough to be trusted.
    await setTimeout(3100);
    for (let times = 0; times < 2; times++) expect(sandbox.run(["."])).toEqual(made);
    sandbox.write("a.py", "a  = 22\n");
    sandbox.write("b.py", "b = 1\n");
    expect(sandbox.run(["."]).stderr).toContain(
      "1 file reformatted, 1 file left unchanged, 1 file failed to reformat.",
    );
  });
});

test("a file that is named twice and cannot be formatted is named as it was given each time", () => {
  sandbox.write("sub/a.py", "def f(:\n");
  for (const args of [["--no-cache"], [], []]) {
    const { exitCode, stderr } = sandbox.run([...args, "sub/../sub/a.py", ".", "sub/a.py"]);
    expect(exitCode).toBe(123);
    for (const path of ["sub/a.py", "sub/../sub/a.py", `${sandbox.folder}/sub/a.py`])
      expect(stderr).toContain(`error: cannot parse: ${path}:1:6`);
    expect(stderr).toContain("3 files failed to reformat.");
  }
});

describe("standard input and code", () => {
  test("standard input comes back formatted; on a syntax error as it was", () => {
    expect(sandbox.run(["-q", "-"], { input: messy }).stdout).toBe(neat);
    const broken = sandbox.run(["-q", "-"], { input: "def f(:\n" });
    expect([broken.exitCode, broken.stdout]).toEqual([123, "def f(:\n"]);
  });

  test("the name given for standard input decides over the file type and exclusions", () => {
    const stub = "class A:\n    def f(self): ...\n    x: int\n";
    expect(sandbox.run(["-q", "--stdin-filename", "a.pyi", "-"], { input: stub }).stdout).toBe(stub);
    const excluded = sandbox.run(["--stdin-filename", "gen/x.py", "--force-exclude", "gen", "-"], {
      input: messy,
    });
    expect(excluded.stdout).toBe(messy);
  });

  test("beside other inputs standard input is not read, and no file stands in for it", () => {
    sandbox.write("a.py", messy);
    sandbox.write("b.py", messy);
    for (const [count, ...others] of [
      ["1 file", "b.py"],
      ["2 files", "a.py", "b.py"],
      ["2 files", "."],
    ] as const) {
      const args = ["--check", "--stdin-filename", "./a.py", "-", ...others];
      const { exitCode, stderr } = sandbox.run(args, { input: messy });
      expect(exitCode).toBe(123);
      expect(stderr).toContain("cannot format __BLACK_STDIN_FILENAME__a.py: [Errno 2] No such file");
      expect(stderr).toContain(`${count} would be reformatted`);
    }
  });

  test("--code prints the result and nothing else", () => {
    expect(sandbox.run(["-c", "x = 'a'"])).toEqual({ exitCode: 0, stdout: 'x = "a"\n', stderr: "" });
    expect(sandbox.run(["--check", "-c", "x = 'a'"]).exitCode).toBe(1);
  });

  test("--diff shows the change, coloured on request", () => {
    expect(sandbox.run(["--diff", "-q", "-"], { input: "x = 'a'" }).stdout).toMatch(
      /^--- STDIN\t[\d: .+-]+\n\+\+\+ STDOUT\t[\d: .+-]+\n@@ -1 \+1 @@\n-x = 'a'\n\\ No newline at end of file\n\+x = "a"\n$/,
    );
    expect(sandbox.run(["--diff", "--color", "-q", "-"], { input: "x = 'a'\n" }).stdout).toContain(
      "\u001b[31m-x = 'a'\u001b[0m",
    );
  });

  test("--line-ranges formats only these lines", () => {
    const source = "x = 'a'\ny = 'b'\nz = 'c'\n";
    expect(sandbox.run(["-q", "--line-ranges", "2-2", "-"], { input: source }).stdout).toBe(
      "x = 'a'\ny = \"b\"\nz = 'c'\n",
    );
  });
});

describe("configuration", () => {
  test("the command line wins over the file, the file over the defaults", () => {
    sandbox.write("pyproject.toml", "[tool.jetblack]\nline-length = 10\nskip-string-normalization = true\n");
    sandbox.write("a.py", "f('a', 'b')\n");
    expect(sandbox.run(["--diff", "-q", "a.py"]).stdout).toContain("+    'a',");
    expect(sandbox.run(["--diff", "-q", "-l", "30", "a.py"]).stdout).toBe("");
  });

  test("an unknown key ends the run with exit code 2 before anything is written", () => {
    sandbox.write("pyproject.toml", "[tool.black]\nline-lenght = 79\n");
    sandbox.write("a.py", messy);
    const { exitCode, stderr } = sandbox.run(["a.py"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("Invalid config key 'line-lenght'");
    expect(stderr).toContain("Did you mean 'line-length'?");
    expect(contents("a.py")).toBe(messy);
  });

  test("FORMATTER_NUM_WORKERS must be a positive number when there are several files", () => {
    sandbox.write("a.py", neat);
    sandbox.write("b.py", neat);
    const { exitCode, stderr } = sandbox.run(["."], { env: { FORMATTER_NUM_WORKERS: "none" } });
    expect([exitCode, stderr.includes("FORMATTER_NUM_WORKERS: 'none' is not a valid integer")]).toEqual([
      2,
      true,
    ]);
    expect(sandbox.run(["a.py"], { env: { FORMATTER_NUM_WORKERS: "none" } }).exitCode).toBe(0);
  });

  test("the version names our own and that of the style; either meets --required-version", () => {
    const { stdout } = sandbox.run(["--version"]);
    const [, own = "", style = ""] = /^jetblack, (\S+) \(style of Black (\S+)\)/.exec(stdout) ?? [];
    for (const version of [own, style, style.split(".")[0]!])
      expect(sandbox.run(["--required-version", version, "-c", "x"]).exitCode).toBe(0);
    expect(sandbox.run(["--required-version", "1.2.3", "-c", "x"]).exitCode).toBe(1);
  });
});

describe("reports for programs", () => {
  test("--report json lists each file with what came of it and where it failed", () => {
    sandbox.write("a.py", messy);
    sandbox.write("b.py", neat);
    sandbox.write("c.py", "x = 1\ndef f(:\n");
    const { stdout } = sandbox.run(["--check", "--report", "json", "a.py", "b.py", "c.py"]);
    expect(JSON.parse(stdout)).toEqual({
      files: [
        { path: "a.py", outcome: "changed", diff: expect.stringMatching(/^--- a\.py\t.*\n\+\+\+ a\.py\t/) },
        { path: "b.py", outcome: "unchanged" },
        {
          path: "c.py",
          outcome: "failed",
          message: expect.stringContaining("cannot parse"),
          line: 2,
          column: 7,
        },
      ],
      written: false,
      exitCode: 123,
    });
  });

  test("--report github annotates files that would change or cannot be formatted", () => {
    sandbox.write("a.py", messy);
    sandbox.write("c.py", "def f(:\n");
    expect(sandbox.run(["--check", "--report", "github", "a.py", "c.py"]).stdout).toMatch(
      /^::warning file=a\.py,line=1,title=jetblack::The file would be reformatted\n::error file=c\.py,line=1,col=7,title=jetblack::cannot parse: 1:6%0A.*\n$/,
    );
  });
});

describe("differences in the report for programs", () => {
  const diffsOf = (args: readonly string[]): Record<string, string> => {
    const { files } = JSON.parse(sandbox.run([...args, "--report", "json", "-W", "1"]).stdout);
    return Object.fromEntries(files.map(({ path, diff }: Record<string, string>) => [path, diff]));
  };
  const notebook = JSON.stringify({ cells: [{ cell_type: "code", source: "x  = 1" }], metadata: {} });

  test.each(["--check", "--diff"])("are those of --diff, whatever the file is, with %s", (flag) => {
    sandbox.write("a.py", messy);
    sandbox.write("b.pyi", "class A: ...\n\nclass B: ...\n");
    sandbox.write("c.ipynb", notebook);
    sandbox.write("d.py", Buffer.from("# coding: latin-1\nx  = 'ü'\n", "latin1"));
    sandbox.write("e.py", "x  = 1\r\n");
    const names = ["a.py", "b.pyi", "c.ipynb", "d.py", "e.py"];
    const diffs = diffsOf([flag, ...names]);
    expect(Object.keys(diffs)).toEqual(names);
    const withoutTimes = (text: string): string => text.replace(/\t.*$/gm, "");
    for (const name of names.filter((name) => name !== "d.py"))
      expect(withoutTimes(diffs[name]!)).toBe(withoutTimes(sandbox.run(["--diff", "-q", name]).stdout));
    expect(diffs["c.ipynb"]).toContain("cell_0");
    expect(diffs["d.py"]).toContain('+x = "ü"');
  });

  test("are those of standard input", () => {
    const { stdout } = sandbox.run(["-q", "--check", "--report", "json", "-"], { input: messy });
    expect(JSON.parse(stdout).files).toEqual([
      { path: "-", outcome: "changed", diff: expect.stringMatching(/^--- STDIN\t.*\n\+\+\+ STDOUT\t/) },
    ]);
  });

  test("are on standard error beside a document that has no place for them", () => {
    sandbox.write("a.py", messy);
    const { stdout, stderr } = sandbox.run(["--diff", "--report", "gitlab", "a.py"]);
    expect(JSON.parse(stdout)).toMatchObject([{ location: { path: "a.py" } }]);
    expect(stderr).toContain("--- a.py");
    expect(sandbox.run(["--diff", "--report", "github", "a.py"]).stdout).toContain("file=a.py,line=1,");
  });
});

describe("reports for CI systems", () => {
  const report = (form: string): string => {
    sandbox.write("a b&ü.py", messy);
    sandbox.write("b.py", neat);
    sandbox.write("c.py", "def f(:\n");
    return sandbox.run(["--check", "--report", form, "a b&ü.py", "b.py", "c.py"]).stdout;
  };

  test("gitlab has an issue for each file with a path and a line", () => {
    const issues = JSON.parse(report("gitlab"));
    expect(issues).toEqual([
      {
        description: "The file would be reformatted",
        check_name: "would-reformat",
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        severity: "minor",
        location: { path: "a b&ü.py", lines: { begin: 1 } },
      },
      expect.objectContaining({ check_name: "cannot-format", severity: "major" }),
    ]);
    expect(issues[0].fingerprint).not.toBe(issues[1].fingerprint);
  });

  test("junit has a test for each file, and is XML whatever a source holds", () => {
    expect(report("junit").split("\n").slice(0, 7)).toEqual([
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites tests="3" failures="1" errors="1">',
      '  <testsuite name="jetblack" tests="3" failures="1" errors="1">',
      '    <testcase classname="jetblack" name="a b&#38;ü.py">',
      '      <failure type="would-reformat" message="The file would be reformatted">a b&#38;ü.py:1',
      "The file would be reformatted</failure>",
      "    </testcase>",
    ]);
    sandbox.write("d.py", "x = '<&\x01\n");
    expect(sandbox.run(["--check", "--report", "junit", "d.py"]).stdout).toContain("x = '&#60;&#38;\\x1");
  });

  test("sarif has a result for each file, with an address and a region", () => {
    const log = JSON.parse(report("sarif"));
    expect(log.version).toBe("2.1.0");
    const [{ tool, results }] = log.runs;
    expect(results).toMatchObject([
      {
        ruleId: "would-reformat",
        level: "warning",
        locations: [
          { physicalLocation: { artifactLocation: { uri: "a%20b%26%C3%BC.py" }, region: { startLine: 1 } } },
        ],
      },
      {
        ruleId: "cannot-format",
        level: "error",
        locations: [{ physicalLocation: { region: { startLine: 1, startColumn: 7 } } }],
      },
    ]);
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
  });

  test.each(["github", "gitlab", "junit", "sarif"])(
    "%s names files of the repository, however they were given",
    (form) => {
      sandbox.write("src/a.py", messy);
      const named = sandbox.run(["--check", "--report", form, "src/a.py"]).stdout;
      for (const source of [".", "./src", join(sandbox.folder, "src")])
        expect(sandbox.run(["--check", "--report", form, source]).stdout).toBe(named);
      expect(named).toContain("src/a.py");
      expect(named).not.toContain(sandbox.folder);
    },
  );

  test.each(["github", "gitlab", "junit", "sarif"])(
    "%s names no path of this machine in its reasons",
    (form) => {
      sandbox.write("a.ipynb", "{");
      sandbox.write("b.py", Buffer.from([0xff]));
      sandbox.write("c.py", "x = (\n");
      sandbox.write("d.py", messy);
      chmodSync(join(sandbox.folder, "d.py"), 0);
      const args = ["-q", "--check", "--report", form, sandbox.folder];
      const { stdout } = sandbox.run(args, { obeysPermissions: true });
      expect(stdout).toContain("Permission denied");
      expect(stdout).toContain("cannot format: ");
      expect(stdout).toContain("The file cannot be parsed as valid Jupyter notebook.");
      expect(stdout).not.toContain(sandbox.folder);
    },
  );

  test("are whole documents of a run without files", () => {
    const emptyReport = (form: string, ...args: string[]): string =>
      sandbox.run(["--check", "--report", form, ...args, "."]).stdout;
    expect(JSON.parse(emptyReport("json"))).toEqual({ files: [], written: false, exitCode: 0 });
    expect(JSON.parse(emptyReport("json", "--quiet")).files).toEqual([]);
    expect(JSON.parse(emptyReport("gitlab"))).toEqual([]);
    expect(JSON.parse(emptyReport("sarif")).runs[0].results).toEqual([]);
    expect(emptyReport("junit")).toContain('<testsuites tests="0" failures="0" errors="0">');
    expect(emptyReport("github")).toBe("");
    expect(emptyReport("text")).toBe("");
    const excluded = ["--force-exclude", "a", "--stdin-filename", "a.py", "--report", "gitlab", "-"];
    const { stdout, stderr } = sandbox.run(excluded, { input: messy });
    expect(stdout).toBe(messy);
    expect(stderr).toContain("[]");
  });

  test("name nothing of a run that wrote its files", () => {
    sandbox.write("a.py", messy);
    expect(JSON.parse(sandbox.run(["--report", "gitlab", "a.py"]).stdout)).toEqual([]);
  });
});

describe("reports for programs of what is no file", () => {
  test("go to standard error where standard output has the source", () => {
    const json = sandbox.run(["-q", "--report", "json", "-"], { input: messy });
    expect(json.stdout).toBe(neat);
    expect(JSON.parse(json.stderr)).toEqual({
      files: [{ path: "-", outcome: "changed" }],
      written: true,
      exitCode: 0,
    });
  });

  test("go to standard output with --check", () => {
    const json = sandbox.run(["-q", "--check", "--report", "json", "--stdin-filename", "a.py", "-"], {
      input: "def f(:\n",
    });
    expect(JSON.parse(json.stdout)).toMatchObject({
      files: [{ path: "a.py", outcome: "failed", line: 1, column: 7 }],
      written: false,
      exitCode: 123,
    });
    expect(sandbox.run(["--check", "--report", "github", "-c", "x = 'a'"]).stdout).toBe(
      "::warning file=<string>,line=1,title=jetblack::The file would be reformatted\n",
    );
  });
});

describe("safety", () => {
  test("what the interpreter would not parse stays untouched, and says why", () => {
    sandbox.write("a.py", "x = (1 := 2)\ny='a'\n");
    const { exitCode, stderr } = sandbox.run(["a.py"]);
    expect(exitCode).toBe(123);
    expect(stderr).toContain("cannot use assignment expressions with literal (<unknown>, line 1)");
    expect(contents("a.py")).toBe("x = (1 := 2)\ny='a'\n");
    expect(sandbox.run(["--fast", "a.py"]).exitCode).toBe(0);
  });

  test("deep nesting ends in a result, not in a crash", () => {
    sandbox.write("lists.py", `x = ${"[".repeat(1000)}1${"]".repeat(1000)}\n`);
    expect(sandbox.run(["--fast", "-q", "lists.py"]).exitCode).toBe(0);
    expect(sandbox.run(["-q", "--check", "--fast", "lists.py"]).exitCode).toBe(0);
  });
});

describe("paths that lead nowhere", () => {
  test.each(["nope.py", "loop.py", "a.py/b.py", `${"x".repeat(300)}.py`])("%s is named", (path) => {
    sandbox.write("a.py", neat);
    symlinkSync("loop.py", join(sandbox.folder, "loop.py"));
    const { exitCode, stderr } = sandbox.run([path]);
    expect([exitCode, stderr.split("\n").at(-2)]).toEqual([
      2,
      `Error: Invalid value for 'SRC ...': Path '${path}' does not exist.`,
    ]);
  });
});

test("a fault of the file that --config names comes before paths that do not exist", () => {
  sandbox.write("broken.toml", "x =\n");
  sandbox.write("list.toml", "[tool.black]\ntarget-version = 'py39'\n");
  sandbox.write("fine.toml", "[tool.black]\n");
  const broken = sandbox.run(["none.py", "--config", "broken.toml"]);
  expect([broken.exitCode, broken.stderr]).toEqual([
    1,
    expect.stringContaining("Could not open file 'broken.toml'"),
  ]);
  const list = sandbox.run(["--config", "list.toml", "none.py"]).stderr;
  expect(list).toContain("Config key target-version must be a list");
  const fine = sandbox.run(["--config", "fine.toml", "none.py"]);
  expect([fine.exitCode, fine.stderr]).toEqual([2, expect.stringContaining("Path 'none.py' does not exist")]);
  expect(sandbox.run(["--version", "--config", "broken.toml"]).exitCode).toBe(0);
  expect(sandbox.run(["--config", "broken.toml", "--version"]).exitCode).toBe(1);
});

test.skipIf(process.platform === "win32")("a working directory that is gone is named", () => {
  const { exitCode, stderr } = sandbox.runAfter("rmdir ../work", ["/"]);
  expect(exitCode).toBe(1);
  expect(stderr).toBe(
    "Error: The working directory is gone. Change to one that exists and run this again.\n",
  );
});

describe("--code", () => {
  test("keeps the line ends of its first line", () => {
    expect(sandbox.run(["-c", "x='a'\ry=1\r"]).stdout).toBe('x = "a"\ry = 1\r');
  });

  test("that declares an unknown encoding comes back as it is", () => {
    const { exitCode, stdout, stderr } = sandbox.run(["-c", "# coding: nope\nx='a'\n"]);
    expect([exitCode, stdout]).toEqual([123, "# coding: nope\nx='a'\n"]);
    expect(stderr).toContain("unknown encoding: nope");
  });
});

describe("an interrupted run", () => {
  test("finishes the files it is at, says what it did, and leaves the others as they were", async () => {
    const count = 60;
    const source = messy.repeat(1000);
    for (let index = 0; index < count; index++) sandbox.write(`a${index}.py`, `${source}y = ${index}\n`);
    const child = sandbox.start(["--workers", "1", "."]);
    // The first rewritten file shows that formatting has begun.
    const isChanged = (index: number): boolean => !contents(`a${index}.py`).startsWith(messy);
    const indices = Array.from({ length: count }, (_, index) => index);
    await expect.poll(() => indices.some(isChanged), { interval: 5 }).toBe(true);
    child.process.kill("SIGINT");
    const { exitCode, stderr } = await child.done;
    const changed = indices.filter(isChanged);
    expect(exitCode).toBe(130);
    expect(changed.length).toBeLessThan(count);
    expect(
      [...stderr.matchAll(/^reformatted .*a(\d+)\.py$/gm)].map(([, index]) => Number(index)).sort(),
    ).toEqual(changed.sort());
    const files = (size: number): string => `${size} file${size === 1 ? "" : "s"}`;
    expect(stderr).toMatch(
      new RegExp(
        `Aborted! ${files(changed.length)} reformatted, ${files(count - changed.length)} not looked at\\.\n$`,
      ),
    );
  });
});
