import type { JsonObject } from "../../contract/json.ts";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";
import { linesAbout } from "./lines.ts";

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
