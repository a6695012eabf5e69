import { existsSync, readdirSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CACHE, must, newestVersion, quiet } from "../sdk-clients/install.ts";
import type { PythonSdk } from "./sdks.ts";

/** An SDK with its tests, and a Python that can run them. */
export interface InstalledSdk {
  readonly version: string;
  readonly python: string;
  /** The unpacked source distribution. */
  readonly sources: string;
}

/** Puts an SDK's newest source distribution, the SDK and pytest into the cache unless they lie there already. */
export async function installWithTests({ name, needs }: PythonSdk): Promise<InstalledSdk> {
  const version = await newestVersion("pypi", name);
  const folder = join(CACHE, `${name}-own-tests-${version}`);
  const python = join(folder, "venv/bin/python");
  const sources = join(folder, `${name}-${version}`);
  if (existsSync(join(folder, "complete"))) return { version, python, sources };
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await must("python3", ["-m", "venv", join(folder, "venv")]);
  const pip = ["-m", "pip"];
  const wanted = [`${name}==${version}`, "pytest", "pytest-asyncio", "pytest-timeout", ...needs];
  await must(python, [...pip, "install", ...quiet, ...wanted]);
  const source = ["--no-deps", "--no-binary", name, "--dest", folder, `${name}==${version}`];
  await must(python, [...pip, "download", ...quiet, ...source]);
  const archive = readdirSync(folder).find((file) => file.endsWith(".tar.gz"));
  if (archive === undefined) throw new Error(`pip fetched no source distribution of ${name}`);
  await must("tar", ["-xzf", join(folder, archive), "-C", folder]);
  await writeFile(join(folder, "complete"), "");
  return { version, python, sources };
}
