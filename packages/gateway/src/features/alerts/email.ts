import type { JsonObject } from "../../contract/json.ts";
import type { MailServer } from "../../platform/config/alert-channels.ts";
import { linesAbout } from "./lines.ts";

/** Sends an event once. @returns what went wrong, without addresses and passwords */
export async function sendEmail(
  server: MailServer,
  recipient: string,
  id: string,
  event: JsonObject,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const message = await messageOf(server, recipient, id, event);
    await hand(server, { from: server.sender, to: [recipient] }, message, signal);
    return undefined;
  } catch (error) {
    if (signal.aborted) throw error;
    const { code = "no answer", responseCode } = error as { code?: string; responseCode?: number };
    return responseCode === undefined ? `no answer (${code})` : `refused with ${responseCode} (${code})`;
  }
}

/** The same id is the same message, should it come twice after a crash. */
async function messageOf(
  { sender }: MailServer,
  recipient: string,
  id: string,
  event: JsonObject,
): Promise<Buffer> {
  const { default: MimeNode } = await import("nodemailer/lib/mime-node");
  const node = new MimeNode("text/plain; charset=utf-8");
  const about = event.key_alias ?? event.team_id ?? event.organization_id ?? event.customer_id ?? event.tag;
  const subject = [event.event_message, about].filter((each) => typeof each === "string").join(": ");
  node.setHeader({
    from: sender,
    to: recipient,
    subject: subject.replaceAll(/\p{Cc}+/gu, " ").slice(0, 200),
    "message-id": `<${id}@${sender.split("@")[1]!}>`,
    "auto-submitted": "auto-generated",
  });
  const lines = linesAbout(event).map(([name, value]) => `${name}: ${value.replaceAll(/\p{Cc}+/gu, " ")}`);
  node.setContent([String(event.event_message), "", ...lines, ""].join("\r\n"));
  return node.build();
}

interface Envelope {
  readonly from: string;
  readonly to: string[];
}

/** One connection for one message: alerts are few. */
async function hand(
  server: MailServer,
  envelope: Envelope,
  message: Buffer,
  signal: AbortSignal,
): Promise<void> {
  const { default: SmtpConnection } = await import("nodemailer/lib/smtp-connection");
  const { host, port, isTls, requireTls, login, timeout } = server;
  const connection = new SmtpConnection({
    host,
    port,
    secure: isTls,
    requireTLS: requireTls && !isTls,
    ignoreTLS: !requireTls,
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    dnsTimeout: timeout,
  });
  const stop = (): void => connection.close();
  signal.addEventListener("abort", stop, { once: true });
  try {
    await new Promise<void>((done, fail) => {
      connection.once("error", fail);
      connection.once("end", () => fail(new Error("the connection ended")));
      const send = (): void => connection.send(envelope, message, (error) => (error ? fail(error) : done()));
      connection.connect((error) => {
        if (error) return fail(error);
        if (login === undefined) return send();
        connection.login({ credentials: login }, (refused) => (refused ? fail(refused) : send()));
      });
    });
    connection.quit();
  } finally {
    signal.removeEventListener("abort", stop);
    connection.on("error", () => undefined);
    connection.close();
  }
}
