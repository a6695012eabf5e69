import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pythonWithBlack } from "../black.ts";
import type { Corpus } from "./corpora.ts";

/** Building the metadata of some distributions compiles what they are built with. */
const DOWNLOAD_TIMEOUT_MS = 900_000;

/** The folder that holds a corpus; its distribution is downloaded on first use. */
export function corpusFolder(corpus: Corpus, cache: string): string {
  const { sdist } = corpus;
  if (sdist === undefined) return standardLibrary();
  const folder = join(cache, `${sdist.project}-${sdist.version}`);
  if (existsSync(folder)) return folder;
  const download = `${folder}.part`;
  rmSync(download, { recursive: true, force: true });
  mkdirSync(download, { recursive: true });
  const requirement = `${sdist.project}==${sdist.version}`;
  const options = ["--quiet", "--no-deps", "--no-binary", sdist.project, "--dest", download];
  execFileSync(pythonWithBlack(), ["-m", "pip", "download", ...options, requirement], {
    stdio: "inherit",
    timeout: DOWNLOAD_TIMEOUT_MS,
  });
  const archive = readdirSync(download).find((name) => name.endsWith(".tar.gz"));
  if (archive === undefined) throw new Error(`${requirement} came as no .tar.gz`);
  execFileSync("tar", ["-xzf", join(download, archive), "-C", download]);
  rmSync(join(download, archive));
  renameSync(download, folder);
  return folder;
}

function standardLibrary(): string {
  const script = "import sysconfig; print(sysconfig.get_paths()['stdlib'])";
  return execFileSync(pythonWithBlack(), ["-c", script], { encoding: "utf8" }).trim();
}
