import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** A message that a server took. */
interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
  readonly isSecure: boolean;
  readonly user: string | undefined;
}

/** An SMTP server on a free port of 127.0.0.1. */
export interface TestMailServer {
  readonly port: number;
  readonly mails: TakenMail[];
  /** Logins that were tried. */
  readonly logins: string[];
  /** Refuses so many messages for now. */
  refuse(times: number): void;
  close(): Promise<void>;
}

export const MAIL_USER = "portico";
export const MAIL_PASSWORD = "secret-of-mail";

export async function startMailServer(options: SMTPServerOptions = {}): Promise<TestMailServer> {
  const mails: TakenMail[] = [];
  const logins: string[] = [];
  let refused = 0;
  const server = new SMTPServer({
    authOptional: true,
    ...options,
    onAuth(auth, _session, done) {
      logins.push(`${auth.username} ${auth.password}`);
      const isRight = auth.username === MAIL_USER && auth.password === MAIL_PASSWORD;
      return isRight ? done(null, { user: MAIL_USER }) : done(new Error("wrong password"));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        if (refused > 0) {
          refused -= 1;
          return done(Object.assign(new Error("later, please"), { responseCode: 451 }));
        }
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString(),
          isSecure: session.secure,
          user: session.user as string | undefined,
        });
        done();
      });
    },
  });
  // Clients that do not trust the certificate break off.
  server.on("error", () => undefined);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    logins,
    refuse: (times) => {
      refused = times;
    },
    close: () => new Promise((closed) => server.close(closed)),
  };
}

/** A certificate of its own for 127.0.0.1. */
export function makeCertificate(): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), "portico-certificate-"));
  try {
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")] as const;
    const about = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"];
    const words = [
      "req",
      "-x509",
      "-newkey",
      // Made in a fraction of the time that an RSA key takes.
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:prime256v1",
      "-nodes",
      "-days",
      "2",
      "-keyout",
      key,
      "-out",
      cert,
    ];
    execFileSync("openssl", [...words, ...about], { stdio: "ignore" });
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
