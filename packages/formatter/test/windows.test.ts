import { tmpdir } from "node:os";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { settingsFor } from "../src/language-server/document-settings.ts";
import { runInProcess } from "./run-in-process.ts";
import { drive, onThisMachine, WORKING_FOLDER } from "./simulated-windows.ts";

// What the program asks of Node.js is answered as on Windows, from a folder that stands for its drive.
vi.mock("node:fs", async (original) =>
  (await import("./simulated-windows.ts")).filesOfWindows(await original()),
);
vi.mock("node:path", async (original) => (await original<typeof import("node:path")>()).win32);
vi.mock("node:url", async (original) =>
  (await import("./simulated-windows.ts")).addressesOfWindows(await original()),
);
// As in a bundle, which knows its build without its sources: these lie outside of that drive.
vi.mock("../src/files/cache/build-id.ts", () => ({ buildId: () => "build" }));

const files = await vi.importActual<typeof import("node:fs")>("node:fs");
const { dirname, join } = await vi.importActual<typeof import("node:path")>("node:path");
const { platform } = process;

beforeEach(() => {
  drive.folder = files.realpathSync(files.mkdtempSync(join(tmpdir(), "jetblack-windows-")));
  Object.defineProperty(process, "platform", { value: "win32" });
  vi.spyOn(process, "cwd").mockReturnValue(WORKING_FOLDER);
  vi.stubEnv("LOCALAPPDATA", "C:\\Users\\Jörg B\\AppData\\Local");
  vi.stubEnv("JETBLACK_CACHE_DIR", undefined);
  vi.stubEnv("BLACK_CACHE_DIR", undefined);
  write("pyproject.toml", "[tool.black]\r\nline-length = 60\r\n");
});
afterEach(() => {
  Object.defineProperty(process, "platform", { value: platform });
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  files.rmSync(drive.folder, { recursive: true });
});

function write(path: string, contents: string): void {
  const place = onThisMachine(path);
  files.mkdirSync(dirname(place), { recursive: true });
  files.writeFileSync(place, contents);
}

const read = (path: string): string => files.readFileSync(onThisMachine(path), "utf8");

describe("On a simulated Windows", () => {
  it.each([
    "a b\\ü.pyi",
    ".\\a b\\ü.pyi",
    "a b/ü.pyi",
    "a b\\..\\a b\\ü.pyi",
    `${WORKING_FOLDER}\\a b\\ü.pyi`,
    "a b",
    "a b\\",
    ".",
    "C:\\",
    "c:/",
    "\\Users",
  ])("formats what %s names, and keeps its line ends", async (argument) => {
    write("a b\\ü.pyi", "x  = 1\r\n\r\n\r\n\r\ny = 2\r\n");
    const { exitCode, messages } = await runInProcess([argument]);
    expect({ exitCode, summary: messages.at(-1) }).toEqual({ exitCode: 0, summary: "1 file reformatted." });
    expect(read("a b\\ü.pyi")).toBe("x = 1\r\n\r\ny = 2\r\n");
  });

  it("takes a file and the folder that it is in for one", async () => {
    write("src\\a.py", "x  = 1\n");
    const { messages } = await runInProcess([`${WORKING_FOLDER}\\src\\a.py`, "src", "src/a.py"]);
    expect(messages.at(-1)).toContain("1 file ");
    expect(read("src\\a.py")).toBe("x = 1\n");
  });

  it.each([
    ["extend-exclude", "/gen/"],
    ["extend-exclude", "^/src/gen/a\\.py$"],
    ["exclude", "/gen/"],
    ["force-exclude", "^/src/gen/"],
  ])("leaves out what %s = '%s' says, wherever it starts", async (option, pattern) => {
    write("src\\gen\\a.py", "x  = 1\n");
    write("src\\b.py", "x  = 1\n");
    write("pyproject.toml", `[tool.black]\n${option} = '''${pattern}'''\n`);
    for (const start of [".", "src", "src\\", `${WORKING_FOLDER}\\src`])
      expect((await runInProcess(["--check", start])).messages.at(-1)).toBe("1 file would be reformatted.");
    const { messages } = await runInProcess(["--check", "src\\gen\\a.py"]);
    expect(messages.at(-1)).toMatch(option === "force-exclude" ? /^No Python files/ : /^1 file would/);
  });

  it("obeys .gitignore", async () => {
    write(".gitignore", "/src/gen/\r\n*_pb2.py\r\n");
    write("src\\gen\\a.py", "x  = 1\n");
    write("src\\b_pb2.py", "x  = 1\n");
    write("src\\c.py", "x  = 1\n");
    for (const start of [".", "src"])
      expect((await runInProcess(["--check", start])).messages.at(-1)).toBe("1 file would be reformatted.");
  });

  it("knows formatted files again, by whatever name", async () => {
    write("src\\a.py", "x = 1\n");
    expect((await runInProcess(["src\\a.py"])).messages.at(-1)).toBe("1 file left unchanged.");
    files.accessSync(onThisMachine("C:\\Users\\Jörg B\\AppData\\Local\\jetblack\\Cache"));
    for (const argument of ["src\\a.py", "src/a.py", "src", `${WORKING_FOLDER}\\src\\a.py`]) {
      const { messages } = await runInProcess(["-v", argument]);
      expect(messages.join("\n")).toMatch(/a\.py wasn't modified on disk since last run\./);
    }
  });

  it("names files with slashes in reports", async () => {
    write("src\\a ü.py", "x  = 1\n");
    write("C:\\elsewhere\\b.py", "x  = 1\n");
    const inside = `${WORKING_FOLDER}\\src\\a ü.py`;
    const report = async (form: string, ...paths: string[]): Promise<string> =>
      (await runInProcess(["-q", "--check", "--report", form, ...paths])).messages[0]!;
    for (const path of ["src\\a ü.py", ".\\src\\a ü.py", inside, "."]) {
      const [{ location }] = JSON.parse(await report("gitlab", path));
      expect(location.path).toBe("src/a ü.py");
      expect(await report("github", path)).toContain("file=src/a ü.py,");
      expect(await report("junit", path)).toContain('name="src/a ü.py"');
      expect(addressIn(await report("sarif", path))).toBe("src/a%20%C3%BC.py");
    }
    expect(addressIn(await report("sarif", "C:\\elsewhere\\b.py"))).toBe("file:///C:/elsewhere/b.py");
  });
});

describe("The language server on a simulated Windows", () => {
  it.each(["C:", "c%3A", "c:"])("finds the project of a file on drive %s, saved or not", (name) => {
    write("src\\a.py", "x  = 1\n");
    write("pyproject.toml", "[tool.black]\nline-length = 60\nforce-exclude = '^/src/gen/'\n");
    const settings = (path: string): ReturnType<typeof settingsFor> =>
      settingsFor(`file:///${name}/Users/J%C3%B6rg%20B/my%20project/${path}`, WORKING_FOLDER);
    for (const path of ["src/a.py", "src/new.py"])
      expect(settings(path)).toMatchObject({ isExcluded: false, settings: { lineLength: 60 } });
    expect(settings("src/gen/new.py").isExcluded).toBe(true);
  });
});

function addressIn(sarif: string): string {
  return JSON.parse(sarif).runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri;
}
