// LiteLLM from PyPI at its newest version against a gateway in front of the simulated providers: every method of its Python
// management client, every command of its command line, and `portico import litellm` of databases that its own migrations
// make and whose rows its own code hashes and encrypts. `--part client`, `shell` or `import` runs that alone; `--python
// FOLDER` takes a virtual environment that has `litellm[proxy]` already. It writes docs/gateway/litellm-client.md: each
// part its table.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { startTestGateway } from "../support/gateway.ts";
import { callMethods, type Row, surfaceOf, useCommands } from "./management.ts";
import { Python } from "./python.ts";
import { takeOver } from "./take-over.ts";

const SALT = "sk-salt-of-litellm";
const PAGE = resolve(import.meta.dirname, "../../../../docs/gateway/litellm-client.md");
const { values } = parseArgs({ options: { python: { type: "string" }, part: { type: "string" } } });
const isWanted = (part: string): boolean => values.part === undefined || values.part === part;
const folder = mkdtempSync(join(tmpdir(), "litellm-client-"));
// It would look for prices on the internet, and wait for them.
const env = { ...process.env, LITELLM_LOCAL_MODEL_COST_MAP: "True", LITELLM_SALT_KEY: SALT, HOME: folder };
const sections: (readonly [title: string, head: string, rows: readonly Row[]])[] = [];

try {
  const python = new Python(values.python ?? join(folder, "venv"), env);
  if (values.python === undefined) python.install();
  const version = await python.version();
  const gateway = await startTestGateway();
  try {
    const surface = await surfaceOf(python);
    if (isWanted("client"))
      sections.push(["The Python client", "Method", await callMethods(python, surface, gateway)]);
    if (isWanted("shell"))
      sections.push(["The command line", "Command", await useCommands(python, surface, gateway, folder)]);
  } finally {
    await gateway.close();
  }
  if (isWanted("import")) sections.push(["The import", "Database", await takeOver(python, SALT, folder)]);
  const page = pageOf(version);
  process.stdout.write(page);
  writeFileSync(PAGE, page);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = sections.some(([, , rows]) => rows.some(({ works }) => works === false)) ? 1 : 0;

function pageOf(version: string): string {
  const made = new Map(
    sections.map(([title, head, rows]) => {
      const lines = rows.map(
        ({ name, works, why = "" }) =>
          `| ${head === "Database" ? name : `\`${name}\``} | ${works === undefined ? "not tried" : works ? "works" : "**fails**"} | ${why.replaceAll(/\s+/g, " ").replaceAll("|", "\\|").trim()} |`,
      );
      const works = rows.filter((row) => row.works === true).length;
      return [
        title,
        `${works} of ${rows.length} work.\n\n| ${head} | | |\n|---|---|---|\n${lines.join("\n")}\n`,
      ];
    }),
  );
  const before = existsSync(PAGE) ? readFileSync(PAGE, "utf8").split(/^## /m).slice(1) : [];
  const kept = new Map(
    before.map((text) => [text.split("\n")[0]!, `${text.split("\n").slice(2).join("\n").trim()}\n`]),
  );
  const tables = ["The Python client", "The command line", "The import"].flatMap((title) => {
    const table = made.get(title) ?? kept.get(title);
    return table === undefined ? [] : [`## ${title}\n\n${table}`];
  });
  return `# LiteLLM's own clients

\`npm run litellm-client -w portico\` makes this page: LiteLLM ${version} from PyPI manages a gateway by every method of its
Python client and by every command of \`litellm-proxy\`; and databases that its own migrations make at several moments,
whose rows its own code hashes and encrypts, are imported, dry, for good and again, and called with the old keys.

${tables.join("\n")}`;
}
