import { homedir } from "node:os";
import { join } from "node:path";
import { RememberedFiles } from "../../../util/remembered-files.ts";
import { fromEnvironment } from "../../credentials.ts";

/** Settings of one profile by their names. */
export type Profile = ReadonlyMap<string, string>;

type Sections = ReadonlyMap<string, Profile>;

const files = new RememberedFiles(sectionsOf);

/**
 * A profile of the files that the AWS CLI writes, `credentials` over `config` (AWS SDKs and Tools reference, "Shared
 * config and credentials files"). `undefined` where neither has it.
 */
export function sharedProfile(name: string): Profile | undefined {
  const config = configSections();
  const credentials = readSections(
    fromEnvironment(["AWS_SHARED_CREDENTIALS_FILE"]) ?? join(homedir(), ".aws", "credentials"),
  );
  const found = [config.get(`profile ${name}`) ?? (name === "default" ? config.get(name) : undefined)];
  found.push(credentials.get(name));
  if (found.every((profile) => profile === undefined)) return undefined;
  return new Map(found.flatMap((profile) => [...(profile ?? [])]));
}

/** Where the profiles of a session of IAM Identity Center sign in. */
export function sharedSession(name: string): Profile | undefined {
  return configSections().get(`sso-session ${name}`);
}

function configSections(): Sections {
  return readSections(fromEnvironment(["AWS_CONFIG_FILE"]) ?? join(homedir(), ".aws", "config"));
}

/** The sections of a file; none where there is no such file, or only others may read it. */
function readSections(file: string): Sections {
  try {
    return files.read(file);
  } catch {
    return new Map();
  }
}

/** The sections of a text in INI's form. */
function sectionsOf(text: string): Sections {
  const sections = new Map<string, Map<string, string>>();
  let section = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const header = /^\[\s*([^\]]+?)\s*\]/.exec(line)?.[1]?.replace(/\s+/g, " ");
    if (header !== undefined) {
      section = sections.get(header) ?? new Map();
      sections.set(header, section);
      continue;
    }
    // Indented lines belong to settings of single services.
    const [, key, value] = /^([^\s#;=][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined && value !== "") section.set(key, value);
  }
  return sections;
}
