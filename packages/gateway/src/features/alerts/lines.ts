import type { JsonObject } from "../../contract/json.ts";

/** What people read of an event: names with texts. */
export function linesAbout(event: JsonObject): readonly (readonly [name: string, text: string])[] {
  const about: readonly (readonly [string, unknown])[] = [
    ["Spend", dollars(event.spend)],
    ["Max budget", dollars(event.max_budget)],
    ["Soft budget", dollars(event.soft_budget)],
    ["Key", event.key_alias ?? event.token],
    ["User", event.user_email ?? event.user_id],
    ["Team", event.team_id],
    ["Organization", event.organization_id],
    ["Customer", event.customer_id],
    ["Tag", event.tag],
    ["Model", event.model],
    ["Expected to be spent by", event.projected_exceeded_date],
  ];
  return about.filter(([, value]) => value != null).map(([name, value]) => [name, String(value)]);
}

function dollars(value: unknown): string | undefined {
  return typeof value === "number" ? `$${+value.toFixed(6)}` : undefined;
}
