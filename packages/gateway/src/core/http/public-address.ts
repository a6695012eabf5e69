import type { IncomingHttpHeaders } from "node:http";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";

const host = /^[\w.-]+(?::\d{1,5})?$|^\[[0-9a-f:.]+\](?::\d{1,5})?$/i;

/**
 * The address under which callers reach the gateway: the configured one, else what a proxy in front says
 * (`x-forwarded-proto`, `x-forwarded-host`), else the request's host. Never ends in a slash.
 */
export function publicAddress(headers: IncomingHttpHeaders, config: GatewayConfig): string {
  const { generalSettings, environment } = config;
  const configured = generalSettings.publicUrl ?? environment.PROXY_BASE_URL;
  if (configured !== undefined && configured !== "") return configured.replace(/\/+$/, "");
  const forwarded = first(headers["x-forwarded-host"]);
  const named = [forwarded, headers.host].find((name) => name !== undefined && host.test(name));
  const scheme = first(headers["x-forwarded-proto"]) === "https" ? "https" : "http";
  return `${scheme}://${named ?? "localhost"}`;
}

/** Whether browsers reach the gateway over https. */
export function isOverHttps(headers: IncomingHttpHeaders, config: GatewayConfig): boolean {
  return publicAddress(headers, config).startsWith("https:");
}

function first(value: string | string[] | undefined): string | undefined {
  const text = Array.isArray(value) ? value[0] : value;
  return text?.split(",", 1)[0]?.trim();
}
