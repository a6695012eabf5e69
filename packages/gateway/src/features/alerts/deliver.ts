import { GatewayError } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Channel, MailServer } from "../../platform/config/alert-channels.ts";
import { webhookHeaders } from "../../platform/transport/signed-webhook.ts";
import type { Upstream } from "../../platform/transport/upstream.ts";
import { sendEmail } from "./email.ts";
import { linesAbout } from "./lines.ts";

/** An alert on its way to one address. */
export interface Alert {
  readonly id: string;
  readonly channel: Channel;
  /** Which of the channel's addresses. */
  readonly place: number;
  readonly event: JsonObject;
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
