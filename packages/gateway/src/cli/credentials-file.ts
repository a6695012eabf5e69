import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { isJsonObject, parseJsonObject } from "../contract/json.ts";

/** A session that `portico login` keeps. */
export interface KeptSession {
  readonly url: string;
  readonly key: string;
  readonly expires: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Where sessions are kept, by the addresses of their gateways. */
function fileOf(environment: Environment): string {
  const folder = environment.XDG_CONFIG_HOME || join(homedir(), ".config");
  return join(folder, "portico", "sessions.json");
}

export function readSession(url: string, environment: Environment): KeptSession | undefined {
  const { key, expires } = sessionsIn(fileOf(environment))[url] ?? {};
  return typeof key === "string" && typeof expires === "string" ? { url, key, expires } : undefined;
}

/** Keeps a session in a file that its owner alone may read, whole or not at all. */
export function keepSession({ url, key, expires }: KeptSession, environment: Environment): string {
  const file = fileOf(environment);
  write(file, { ...sessionsIn(file), [url]: { key, expires } });
  return file;
}

export function dropSession(url: string, environment: Environment): void {
  const file = fileOf(environment);
  const { [url]: _, ...others } = sessionsIn(file);
  if (Object.keys(others).length > 0) write(file, others);
  else rmSync(file, { force: true });
}

type Sessions = Record<string, { readonly key?: unknown; readonly expires?: unknown }>;

function sessionsIn(file: string): Sessions {
  const read = existsSync(file) ? parseJsonObject(readFileSync(file, "utf8")) : undefined;
  return Object.fromEntries(
    Object.entries(read ?? {}).filter(([, value]) => isJsonObject(value)),
  ) as Sessions;
}

function write(file: string, sessions: Sessions): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const beside = `${file}.${process.pid}`;
  writeFileSync(beside, `${JSON.stringify(sessions, undefined, 2)}\n`, { mode: 0o600 });
  chmodSync(beside, 0o600);
  renameSync(beside, file);
}
