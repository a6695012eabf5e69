import type { ConfigDocument } from "../document/config-document.ts";
import type { Section } from "../document/sections.ts";
import { gatewayOptions } from "../options/gateway-options.ts";
import { generalOptions } from "../options/general-options.ts";
import type { OptionTable } from "../options/option.ts";
import { routerOptions } from "../options/router-options.ts";

const tables = {
  litellm_settings: gatewayOptions,
  general_settings: generalOptions,
  router_settings: routerOptions,
} as const satisfies Readonly<Record<string, OptionTable>>;

/**
 * Warns of options that stand in another section than the one in which they take effect.
 * @param name the section that it is
 * @returns their names
 */
export function warnOfMisplaced(
  document: ConfigDocument,
  { value, path }: Section,
  name: keyof typeof tables,
): readonly string[] {
  return Object.keys(value).filter((key) => {
    if (Object.hasOwn(tables[name], key)) return false;
    const home = Object.entries<OptionTable>(tables).find(([, table]) => takesEffect(table, key))?.[0];
    if (home !== undefined) document.warn([...path, key], `has no effect here: it takes effect in ${home}`);
    return home !== undefined;
  });
}

function takesEffect(table: OptionTable, key: string): boolean {
  const shape = Object.hasOwn(table, key) ? table[key]!.shape : "ignored";
  return shape !== "ignored" && shape !== "unenforced";
}
