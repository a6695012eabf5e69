import { isJsonObject } from "../../../contract/json.ts";
import { nameHint } from "../../../util/nearest-name.ts";
import type { ConfigDocument, ConfigPath } from "../document/config-document.ts";
import type { GatewayConfig } from "../gateway-config.ts";

/**
 * Warns of priorities that nothing is kept for, and of shares that keep what is not there.
 * @param path of the settings that share out limits
 * @param keys the entries of `keys` as they stand in the file
 */
export function checkPriorities(
  document: ConfigDocument,
  path: ConfigPath,
  { gatewaySettings, deployments }: Pick<GatewayConfig, "gatewaySettings" | "deployments">,
  keys: unknown,
): void {
  const { priorityReservation: shares } = gatewaySettings;
  if (shares === undefined) return;
  const at = [...path, "priority_reservation"];
  const sum = Object.values(shares).reduce((total, share) => total + share, 0);
  if (sum > 1.000001)
    document.warn(
      at,
      `the shares add up to ${+sum.toFixed(6)}, more than the whole: each is divided by that sum`,
    );
  if (deployments.every(({ rpm, tpm }) => rpm === undefined && tpm === undefined))
    document.warn(at, "has no effect: no deployment has rpm or tpm, which would be shared out");
  const entries = Array.isArray(keys) ? keys : [];
  for (const [index, entry] of entries.entries()) {
    for (const field of ["metadata", "team_metadata"]) {
      const metadata = isJsonObject(entry) ? entry[field] : undefined;
      const priority = isJsonObject(metadata) ? metadata.priority : undefined;
      const fault = priority === undefined ? undefined : priorityFault(priority, shares);
      if (fault === undefined) continue;
      document.warn(["keys", index, field, "priority"], `${fault} Its calls share default_priority`);
    }
  }
}

/** Why shares keep nothing for a priority, with the one that may be meant; `undefined` where they do. */
export function priorityFault(
  priority: unknown,
  shares: Readonly<Record<string, number>>,
): string | undefined {
  if (typeof priority === "string" && Object.hasOwn(shares, priority)) return undefined;
  const names = Object.keys(shares);
  const expected = `expected one of ${names.join(", ")}`;
  const hint = typeof priority === "string" ? nameHint(priority, names, expected) : `; ${expected}`;
  return `priority_reservation keeps nothing for it${hint}`;
}
