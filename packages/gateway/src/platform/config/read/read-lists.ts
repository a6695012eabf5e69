import { nameIn } from "../../../contract/naming-request.ts";
import type { ConfigDocument, ConfigPath } from "../document/config-document.ts";
import type { OpenIncluded } from "../document/include-files.ts";
import type { GatewaySettings } from "../gateway-config.ts";

/** Lists that stand in the configuration or in files that it names. */
export interface NamedLists {
  /** Customers whose calls are refused. */
  readonly blockedCustomers: ReadonlySet<string>;
  /** What no request may say. */
  readonly bannedKeywords: readonly string[];
}

/**
 * The lists of `blocked_user_list` and `banned_keywords_list`.
 * @param path of the section
 * @param open absent where files cannot be read
 */
export function readLists(
  document: ConfigDocument,
  path: ConfigPath,
  { blockedUserList, bannedKeywordsList }: GatewaySettings,
  open: OpenIncluded | undefined,
): NamedLists {
  const itemsOf = (key: string, given: readonly string[] | string): readonly string[] => {
    const items = typeof given === "string" ? linesOf(document, [...path, key], given, open) : given;
    return items.map((item) => item.trim()).filter(Boolean);
  };
  const bannedKeywords = itemsOf("banned_keywords_list", bannedKeywordsList);
  if (bannedKeywords.length > 0)
    document.warn(
      [...path, "banned_keywords_list"],
      "is NOT ENFORCED here for answers: no request may have these words, and a postCall hook can look at answers",
    );
  const blocked = itemsOf("blocked_user_list", blockedUserList).map(nameIn);
  return { blockedCustomers: new Set(blocked.filter((name) => name !== undefined)), bannedKeywords };
}

function linesOf(
  document: ConfigDocument,
  path: ConfigPath,
  file: string,
  open: OpenIncluded | undefined,
): readonly string[] {
  try {
    if (open === undefined) throw new Error("files cannot be read here; write a list");
    return open(file).text.split(/\r?\n/);
  } catch (error) {
    document.error(path, (error as Error).message);
    return [];
  }
}
