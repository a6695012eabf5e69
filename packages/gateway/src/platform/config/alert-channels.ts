import type { JsonObject } from "../../contract/json.ts";
import { hostsAlone } from "../log/redact.ts";
import { type GatewayConfig, hasStore } from "./gateway-config.ts";

/** Ways on which alerts go. */
export const CHANNELS = ["webhook", "slack", "email"] as const;

export type Channel = (typeof CHANNELS)[number];

/** Where a channel's alerts of an event go; the addresses of the configuration stand in no log and no store. */
export function addressesOf(
  channel: Channel,
  config: Pick<GatewayConfig, "generalSettings" | "environment">,
  event: JsonObject,
): readonly string[] {
  if (channel === "email") return recipientsOf(config, event);
  const { generalSettings, environment } = config;
  const { budget_alerts: named } = generalSettings.alertToWebhookUrl;
  // LiteLLM's map is Slack's where Slack is told.
  const isSlacks = generalSettings.alerting.includes("slack");
  const listed = [named].flat().filter((address) => typeof address === "string" && address !== "");
  if (listed.length > 0 && (channel === "slack") === isSlacks) return listed as string[];
  const address = channel === "slack" ? environment.SLACK_WEBHOOK_URL : environment.WEBHOOK_URL;
  return address === undefined || address === "" ? [] : [address];
}

/** Whether anybody is to be told anything. */
export function sendsAlerts({ generalSettings }: Pick<GatewayConfig, "generalSettings">): boolean {
  const { alerting, alertTypes } = generalSettings;
  return alerting.length > 0 && (alertTypes === undefined || alertTypes.includes("budget_alerts"));
}

/** Ways of `general_settings.alerting` on which nobody would be told anything, each with what is missing. */
export function silentChannels(
  config: Pick<GatewayConfig, "generalSettings" | "environment">,
): { readonly channel: string; readonly message: string }[] {
  const { alerting } = config.generalSettings;
  if (!sendsAlerts(config)) return [];
  // An address in place of a name is not to be read in a log.
  return alerting.map(hostsAlone).flatMap((channel) => {
    const message = hasStore(config)
      ? whatIsMissing(channel, config)
      : `alerting names ${channel}, but without a store no alerts are sent`;
    return message === undefined ? [] : [{ channel, message }];
  });
}

function whatIsMissing(
  channel: string,
  config: Pick<GatewayConfig, "generalSettings" | "environment">,
): string | undefined {
  const known = CHANNELS.find((each) => each === channel);
  if (known === undefined)
    return `alerting names ${channel}, on which no alerts are sent: ${CHANNELS.join(", ")}`;
  if (known === "email")
    return mailServerOf(config.environment) === undefined
      ? "alerting names email without SMTP_HOST, or SMTP_SENDER_EMAIL is no address"
      : undefined;
  if (addressesOf(known, config, {}).length > 0) return undefined;
  const variable = known === "slack" ? "SLACK_WEBHOOK_URL" : "WEBHOOK_URL";
  return `alerting names ${channel} without an address: ${variable}, or alert_to_webhook_url.budget_alerts`;
}

/** The server that takes e-mails, by LiteLLM's variables. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** Speaks TLS from the first byte; otherwise `requireTls` says whether it must go over to it. */
  readonly isTls: boolean;
  readonly requireTls: boolean;
  readonly login: { readonly user: string; readonly pass: string } | undefined;
  readonly sender: string;
  /** Milliseconds of each step. */
  readonly timeout: number;
}

type Environment = Pick<GatewayConfig, "environment">["environment"];

/** An address without a name, and nothing that a header or a command of SMTP could be made of. */
const ADDRESS = /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}]{1,253}$/u;
const TLS_PORT = 465;

/** @returns nothing where the variables name no server or no sender */
export function mailServerOf(environment: Environment): MailServer | undefined {
  const { SMTP_HOST: host = "", SMTP_SENDER_EMAIL: sender = "", SMTP_USERNAME: user = "" } = environment;
  const { SMTP_PASSWORD: pass = "" } = environment;
  const port = Number(environment.SMTP_PORT || 587);
  const timeout = Number(environment.SMTP_TIMEOUT || 30) * 1000;
  if (host === "" || !ADDRESS.test(sender)) return undefined;
  if (!Number.isInteger(port) || port < 1 || port > 65_535 || !(timeout > 0)) return undefined;
  return {
    host,
    port,
    isTls: port === TLS_PORT || environment.SMTP_USE_SSL?.toLowerCase() === "true",
    requireTls: environment.SMTP_TLS?.toLowerCase() !== "false",
    login: user !== "" && pass !== "" ? { user, pass } : undefined,
    sender,
    timeout: Math.min(timeout, 120_000),
  };
}

/** Who gets an event: the user whose budget it is, and those whom the configuration names; each once. */
export function recipientsOf(
  { generalSettings, environment }: Pick<GatewayConfig, "generalSettings" | "environment">,
  event: JsonObject,
): readonly string[] {
  if (mailServerOf(environment) === undefined) return [];
  const all = [event.user_email, ...generalSettings.alertEmails];
  return [...new Set(all.filter((each): each is string => typeof each === "string" && ADDRESS.test(each)))];
}
