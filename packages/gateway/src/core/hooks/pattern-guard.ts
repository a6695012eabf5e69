import { readFile } from "node:fs/promises";
import { check } from "../../contract/check.ts";
import { GatewayError } from "../../contract/errors.ts";
import type { Hooks } from "../../contract/hook.ts";
import type { JsonObject } from "../../contract/json.ts";
import { closed, list, object, text, type ValueOf, word } from "../../contract/schema.ts";
import { SetupError } from "../../contract/setup-error.ts";
import { messageOf } from "../../util/message-of.ts";
import { joinedTexts } from "./joined-texts.ts";
import { localFile } from "./local-file.ts";
import { mapTexts } from "./map-texts.ts";

/**
 * The built-in guard: what it finds in a request's texts is masked, or makes it refuse the request, before anything
 * leaves for a provider. What would be refused is looked for in the parts of a text together, too. Pictures and other data in
 * base64 are not looked at.
 */
export function patternGuard(rules: readonly GuardRule[]): Hooks {
  const refusing = rules.filter(({ action }) => action === "refuse");
  const guardData = (data: JsonObject): JsonObject => {
    const guarded = mapTexts(data, (text) => guardText(text, rules));
    if (refusing.length > 0) for (const text of joinedTexts(guarded)) guardText(text, refusing);
    return guarded;
  };
  return { name: "guard", isPure: true, guardData, preCall: ({ data }) => guardData(data) };
}

/**
 * A text as the rules leave it, as it stands and as its readers take it.
 * @throws GatewayError 400 naming the rule, never the text that it found
 */
function guardText(text: string, rules: readonly GuardRule[]): string {
  const masked = underRules(text, rules);
  const read = visibly(masked.includes("\\") ? withoutEscapes(masked) : masked);
  if (read === masked) return masked;
  const guarded = underRules(read, rules);
  return guarded === read ? masked : guarded;
}

/** What nobody sees (soft hyphens, joiners, marks of direction), and marks that belong to the letter before them. */
const HIDING = /[\p{Default_Ignorable_Code_Point}\p{M}]/u;
const UNSEEN = /\p{Default_Ignorable_Code_Point}+/gu;
/** Putting a row of marks into its order takes the square of its length; no text has so many (UAX #15, Stream-Safe Text). */
const MANY_MARKS = /\p{M}{31}/u;

/** A text as people and models see it: whoever pastes from a page or from macOS brings along what looks like nothing. */
function visibly(text: string): string {
  if (!HIDING.test(text)) return text;
  const seen = text.replace(UNSEEN, "");
  return MANY_MARKS.test(seen) ? seen : seen.normalize("NFC");
}

/** Escapes of JSON in another JSON's text have more backslashes; all of a row are one, however many there are. */
const ESCAPE = /\\+(u[0-9a-f]{4}|\/)?/gi;

/**
 * A text as JSON's readers take it: arguments and results of tools are JSON in a text, in which Python's clients escape every
 * letter beyond ASCII and others every slash. Escapes that end a text, or are none of a character, stay.
 */
function withoutEscapes(text: string): string {
  return text.replace(ESCAPE, (written, escaped?: string) => {
    if (escaped === undefined || escaped === "/") return escaped ?? written;
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return character < " " || character === '"' || character === "\\" ? written : character;
  });
}

function underRules(text: string, rules: readonly GuardRule[]): string {
  let masked = text;
  for (const { name, pattern, action, replacement } of rules) {
    pattern.lastIndex = 0;
    if (!pattern.test(masked)) continue;
    if (action === "refuse") throw refusal(name);
    masked = masked.replace(pattern, () => replacement);
  }
  return masked;
}

function refusal(rule: string): GatewayError {
  return new GatewayError(
    400,
    "invalid_request_error",
    `The request was refused by the gateway's rule "${rule}".`,
    {
      providerCode: "content_policy_violation",
      retryable: false,
    },
  );
}

const rule = closed(
  object({
    "name!": text(undefined, { minLength: 1 }),
    "pattern!": text(undefined, { minLength: 1 }),
    flags: text("flags out of i, m, s and u", { pattern: "^[imsu]*$" }),
    "action!": word(["mask", "refuse"]),
    replacement: text(),
  }),
);
const rulesFile = closed(object({ "rules!": list(rule, undefined, { minItems: 1 }) }));

/** One pattern and what happens to texts that it finds. */
interface GuardRule {
  readonly name: string;
  readonly pattern: RegExp;
  readonly action: "mask" | "refuse";
  /** What stands in place of a masked text. */
  readonly replacement: string;
}

/**
 * Reads the guard's rules: `{"rules": [{"name", "pattern", "flags"?, "action": "mask" | "refuse", "replacement"?}]}`.
 * @throws SetupError naming the file, the rule or the member at fault
 */
export async function readGuardRules(path: string, baseFolder: string): Promise<readonly GuardRule[]> {
  const file = localFile("guard", path, baseFolder);
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw unusable("cannot be read (guard)", isMissing ? `there is no file ${file}` : error, error);
  }
  return rulesIn(text, file).map(({ name, pattern, flags, action, replacement }) => ({
    name,
    pattern: compile(name, pattern, flags ?? "u"),
    action,
    replacement: replacement ?? `[${name}]`,
  }));
}

/** Refuses texts that have one of these words. */
export function bannedRule(words: readonly string[]): GuardRule {
  const plain = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  const pattern = new RegExp(plain.join("|"), "giu");
  return { name: "banned_keywords_list", pattern, action: "refuse", replacement: "" };
}

function rulesIn(text: string, file: string): ValueOf<typeof rulesFile>["rules"] {
  try {
    return check(rulesFile, JSON.parse(text)).rules;
  } catch (error) {
    throw unusable(`in ${file} are not valid`, error, error);
  }
}

function compile(name: string, pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, `${flags}g`);
  } catch (error) {
    throw unusable(`have a pattern that is none, of the rule ${name}`, error, error);
  }
}

function unusable(how: string, reason: unknown, cause: unknown): SetupError {
  const said = messageOf(reason).replace(/\.$/, "");
  return new SetupError(`The guard's rules ${how}: ${said}.`, { cause });
}
