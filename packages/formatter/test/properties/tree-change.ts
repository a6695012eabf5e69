import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";

/** Something that somebody does between two runs, in a folder with a project and the user's home. */
export interface TreeChange {
  readonly name: string;
  readonly apply: (base: string) => void;
}

const folders = ["", "a/", "a/b/", "c/", "c/d/", "build/"];
const sources = ["a = 1\n", "b  = 2\n", "a b\n", "", "x = [1,\n]\n", "s = 'a'\n"];
const rules = ["x.py\n", "b\n", "*.pyi\n", "!x.py\n", "/c\n"];
const tables = [
  "[tool.black]\n",
  "[tool.black]\nline-length = 20\n",
  "[tool.black]\nextend-exclude = 'a/'\n",
  "[tool.x]\n",
];

const file = fc
  .tuple(fc.constantFrom(...folders), fc.constantFrom("x.py", "y.py", "z.pyi", "n.txt"))
  .map((parts) => `tree/${parts.join("")}`);
const folder = fc.constantFrom(...folders.slice(1)).map((path) => `tree/${path}`);

const change = (name: string, apply: TreeChange["apply"]): TreeChange => ({ name, apply });

function write(path: string, text: string): TreeChange {
  return change(`write ${path}`, (base) => {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), text);
  });
}

function remove(path: string): TreeChange {
  return change(`remove ${path}`, (base) => rmSync(join(base, path), { recursive: true, force: true }));
}

function move(from: string, to: string): TreeChange {
  return change(`move ${from} to ${to}`, (base) => {
    if (existsSync(join(base, from)) && !existsSync(join(base, to)))
      renameSync(join(base, from), join(base, to));
  });
}

function touch(path: string, seconds: number): TreeChange {
  return change(`touch ${path}`, (base) => {
    if (existsSync(join(base, path))) utimesSync(join(base, path), seconds, seconds);
  });
}

function link(path: string, target: string): TreeChange {
  return change(`link ${path} to ${target}`, (base) => {
    rmSync(join(base, path), { force: true });
    symlinkSync(target, join(base, path));
  });
}

/** With its settings and ignore files, as often as the sources themselves. */
export const treeChange: fc.Arbitrary<TreeChange> = fc.oneof(
  fc.tuple(file, fc.constantFrom(...sources)).map(([path, text]) => write(path, text)),
  fc.tuple(file, fc.constantFrom(...sources)).map(([path, text]) => write(path, text)),
  fc.oneof(file, folder).map(remove),
  fc.tuple(folder, fc.constantFrom("tree/m", "tree/m2")).map(([from, to]) => move(from, to)),
  fc.tuple(file, fc.integer({ min: 1, max: 1_000_000 })).map(([path, seconds]) => touch(path, seconds)),
  fc
    .tuple(fc.constantFrom("tree/l.py", "tree/l"), fc.constantFrom("x.py", "c", "../out.py"))
    .map(([path, target]) => link(path, target)),
  fc
    .tuple(fc.constantFrom("", "a/", "c/"), fc.constantFrom(...rules))
    .map(([path, text]) => write(`tree/${path}.gitignore`, text)),
  fc.constantFrom("tree/.gitignore", "tree/pyproject.toml", "tree/.git", "home/black").map(remove),
  fc.constantFrom(...tables).map((text) => write("tree/pyproject.toml", text)),
  fc.constantFrom(
    write("tree/.git/HEAD", ""),
    write("home/black", "[tool.black]\nskip-string-normalization = true\n"),
  ),
);
