import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { deadLinks } from "./dead-links.ts";
import { stagePages } from "./stage.ts";

const repository = join(import.meta.dirname, "..");
const built = join(import.meta.dirname, "dist/site");
const base = process.env.SITE_BASE ?? "/";

function run(command: string, ...args: string[]): void {
  execFileSync(command, args, { cwd: repository, stdio: ["ignore", "inherit", "inherit"] });
}

run("tsc", "--noEmit", "-p", "site");
stagePages();
run(join(import.meta.dirname, "node_modules/.bin/vitepress"), "build", "site");
run(
  "npm",
  "run",
  "--silent",
  "build:playground",
  "-w",
  "jetblack",
  "--",
  "--outDir",
  join(built, "playground"),
);
if (!existsSync(join(built, "playground/index.html"))) throw new Error("The playground was not built.");
const dead = deadLinks(built, base);
for (const link of dead) process.stderr.write(`${link}\n`);
process.stdout.write(`The site is in site/dist/site; ${dead.length} dead links.\n`);
process.exitCode = dead.length === 0 ? 0 : 1;
