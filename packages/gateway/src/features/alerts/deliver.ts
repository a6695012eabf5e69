import { GatewayError } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";
import { webhookHeaders } from "../../platform/transport/signed-webhook.ts";
import type { Upstream } from "../../platform/transport/upstream.ts";
import { type MailServer, mailServerOf, recipientsOf, sendEmail } from "./email.ts";
import { linesAbout } from "./lines.ts";

/** Ways on which alerts go. */
export const CHANNELS = ["webhook", "slack", "email"] as const;

export type Channel = (typeof CHANNELS)[number];

/** An alert on its way to one address. */
export interface Alert {
  readonly id: string;
  readonly channel: Channel;
  /** Which of the channel's addresses. */
  readonly place: number;
  readonly event: JsonObject;
}

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

/** Ways of `general_settings.alerting` on which nobody would be told anything, each with what is missing. */
export function silentChannels(
  config: Pick<GatewayConfig, "generalSettings" | "environment">,
): { readonly channel: string; readonly message: string }[] {
  return config.generalSettings.alerting.flatMap((channel) => {
    const message = whatIsMissing(channel, config);
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

/** What alerts are sent with. */
export interface Means {
  readonly upstream: Upstream;
  readonly mailServer: MailServer | undefined;
  /** Webhooks are signed with it. */
  readonly secret: string;
}

/** Sends an alert once. @returns what went wrong, without the address */
export async function deliver(
  { upstream, mailServer, secret }: Means,
  address: string,
  { id, channel, event }: Alert,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (channel === "email")
    return mailServer === undefined ? "no server" : sendEmail(mailServer, address, id, event, signal);
  const body = JSON.stringify(channel === "slack" ? slackMessage(event) : event);
  const headers =
    channel === "slack"
      ? { "content-type": "application/json" }
      : webhookHeaders(secret, id, Math.floor(Date.now() / 1000), body);
  try {
    const response = await upstream.request({
      url: address,
      method: "POST",
      headers,
      body: Buffer.from(body),
      timeouts: { connect: 10, firstByte: 20, whole: 30 },
      signal,
    });
    response.body.cancel();
    return response.status >= 200 && response.status < 300 ? undefined : `status ${response.status}`;
  } catch (error) {
    if (signal.aborted) throw error;
    // An error's own text may have the address in it.
    return error instanceof GatewayError ? `no answer (${error.type})` : "no answer";
  }
}

/** An event as a message of Slack's incoming webhooks. */
function slackMessage(event: JsonObject): JsonObject {
  const lines = linesAbout(event).map(([name, value]) => `${name}: \`${escaped(value)}\``);
  return { text: [`*${escaped(String(event.event_message))}*`, ...lines].join("\n") };
}

/** Slack's three control characters, and the mark that ends its code. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("`", "'");
}
