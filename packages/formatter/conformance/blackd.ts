import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { pythonWithBlack } from "./black.ts";
import { startDaemon } from "./daemon.ts";

/**
 * Asks blackd from PyPI and jetblackd the same questions and prints where their answers differ.
 * Run: `npm run blackd -w jetblack`; with `-- --command PATH` another jetblackd than that of the sources.
 */
interface Question {
  readonly name: string;
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

const sources: Readonly<Record<string, string>> = {
  changed: "x = { 'a':1,\n 'b':2 }\n",
  unchanged: 'x = {"a": 1}\n',
  crlf: "x = 'a'\r\ny = 2\r\n",
  empty: "",
  broken: "def f(:\n  pass\n",
  notAst: "f(a=1, a=2) = 3\n",
  shebang: "#!/usr/bin/env  python\nx = 'a'\n",
  stub: "class A:\n\n    def f(self): ...\n\n\n    x: int\n",
  noNewline: "x = 'a'",
  long: `call(${"argument, ".repeat(12)}last)\n`,
};

const headerSets: readonly Readonly<Record<string, string>>[] = [
  {},
  { "X-Line-Length": "40" },
  { "X-Line-Length": "wide" },
  { "X-Line-Length": "wide", "X-Python-Variant": "snake", "X-Enable-Unstable-Feature": "nonsense" },
  { "X-Python-Variant": "pyi" },
  { "X-Python-Variant": "py3.8,3.9" },
  { "X-Python-Variant": "py36" },
  { "X-Python-Variant": "2" },
  { "X-Python-Variant": "2.7" },
  { "X-Python-Variant": "3.99" },
  { "X-Python-Variant": "py" },
  { "X-Python-Variant": "snake" },
  { "X-Skip-String-Normalization": "1" },
  { "X-Skip-Magic-Trailing-Comma": "1" },
  { "X-Skip-Source-First-Line": "1" },
  { "X-Preview": "1" },
  { "X-Unstable": "1" },
  { "X-Preview": "1", "X-Enable-Unstable-Feature": "string_processing" },
  { "X-Enable-Unstable-Feature": "nonsense" },
  { "X-Fast-Or-Safe": "fast" },
  { "X-Diff": "1" },
  { "X-Protocol-Version": "1" },
  { "X-Protocol-Version": "2" },
  { "Content-Type": "text/x-python; charset=latin-1" },
  { Origin: "https://allowed.example" },
  { Origin: "https://other.example" },
];

const preflight = { Origin: "https://allowed.example", "Access-Control-Request-Method": "POST" };

const questions: readonly Question[] = [
  ...headerSets.flatMap((headers) =>
    Object.entries(sources).map(([name, body]) => ({
      name: `${JSON.stringify(headers)} ${name}`,
      headers,
      body,
    })),
  ),
  { name: "GET", method: "GET" },
  { name: "another path", path: "/format", body: "x=1\n" },
  { name: "preflight", method: "OPTIONS", headers: preflight },
  {
    name: "preflight from another origin",
    method: "OPTIONS",
    headers: { ...preflight, Origin: "https://other.example" },
  },
  { name: "GET from an allowed origin", method: "GET", headers: { Origin: "https://allowed.example" } },
  { name: "OPTIONS that is no preflight", method: "OPTIONS", headers: { Origin: "https://allowed.example" } },
  {
    name: "another path from an allowed origin",
    path: "/format",
    body: "x=1\n",
    headers: { Origin: "https://allowed.example" },
  },
  {
    name: "nothing in an unknown charset",
    body: "",
    headers: { "Content-Type": "text/plain; charset=nonsense" },
  },
  { name: "an unknown encoding declared", body: "# coding: nonsense\nx  = 1\n" },
  { name: "too large", body: "#".repeat(5 * 1024 * 1024 + 1) },
  { name: "not UTF-8", body: new Uint8Array([0x78, 0xff, 0x0a]) },
];

/** What of an answer an editor can see. */
async function ask(port: number, question: Question): Promise<Record<string, unknown>> {
  const response = await fetch(`http://127.0.0.1:${port}${question.path ?? "/"}`, {
    method: question.method ?? "POST",
    headers: { "Content-Type": "text/plain", ...question.headers },
    ...(question.body === undefined ? {} : { body: question.body }),
  });
  const text = await response.text();
  // blackd goes on with advice about the Python that runs it, which has no counterpart here.
  const comparable = text.split("\nThis could be caused by running Black with an older Python")[0]!;
  const failed = response.status >= 500 || response.status === 413;
  return {
    status: response.status,
    // Times differ from run to run; failures have each server's own words.
    body: failed
      ? text !== ""
      : comparable.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00:00/g, "<time>"),
    version: response.headers.get("X-Black-Version"),
    origin: response.headers.get("Access-Control-Allow-Origin"),
    methods: response.headers.get("Access-Control-Allow-Methods"),
  };
}

const allowedOrigin = ["--cors-allow-origin", "https://allowed.example"];
const blackd = await startDaemon(pythonWithBlack("d"), ["-m", "blackd", ...allowedOrigin]);
const { values } = parseArgs({ options: { command: { type: "string" } } });
const ours = fileURLToPath(new URL("../src/daemon.ts", import.meta.url));
const jetblackd =
  values.command === undefined
    ? await startDaemon(process.execPath, [ours, ...allowedOrigin])
    : await startDaemon(values.command, allowedOrigin);
let alike = 0;
try {
  for (const question of questions) {
    const [theirs, ours] = [await ask(blackd.port, question), await ask(jetblackd.port, question)];
    if (JSON.stringify(theirs) === JSON.stringify(ours)) alike++;
    else
      process.stdout.write(
        `${question.name}\n  blackd    ${JSON.stringify(theirs)}\n  jetblackd ${JSON.stringify(ours)}\n`,
      );
  }
} finally {
  blackd.process.kill();
  jetblackd.process.kill();
}
process.stdout.write(`${alike} of ${questions.length} answers alike\n`);
process.exitCode = alike === questions.length ? 0 : 1;
