import { createServer } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  MAIL_PASSWORD,
  MAIL_USER,
  makeCertificate,
  startMailServer,
  type TestMailServer,
} from "../../../test/support/mail-server.ts";
import { mailServerOf, recipientsOf } from "../../platform/config/alert-channels.ts";
import { sendEmail } from "./email.ts";

const base = { SMTP_HOST: "127.0.0.1", SMTP_SENDER_EMAIL: "gateway@example.com", SMTP_TIMEOUT: "20" };
const login = { SMTP_USERNAME: MAIL_USER, SMTP_PASSWORD: MAIL_PASSWORD };
const event = { event_message: "Key Budget: Budget Crossed", spend: 1.5, max_budget: 1, key_alias: "ci" };
const never = new AbortController().signal;

let server: TestMailServer;
const trusted = getCACertificates("default");
let certificate: { key: string; cert: string };
beforeAll(() => {
  certificate = makeCertificate();
});
afterAll(() => setDefaultCACertificates(trusted));
afterEach(() => server?.close());

function send(more: Record<string, string>, about: object = {}, to = "ann@example.com") {
  const settings = mailServerOf({ ...base, SMTP_PORT: String(server.port), ...more });
  return sendEmail(settings!, to, "evt_1", { ...event, ...about }, never);
}

describe("An alert by e-mail", () => {
  it("goes over TLS after STARTTLS with a login, to a server that is trusted alone", async () => {
    server = await startMailServer({ ...certificate, authOptional: false });
    setDefaultCACertificates(trusted);
    expect(await send(login)).toMatch(/^no answer/);
    expect([server.mails, server.logins]).toEqual([[], []]);
    setDefaultCACertificates([...trusted, certificate.cert]);
    expect(await send(login)).toBeUndefined();
    expect(server.mails).toMatchObject([
      { from: "gateway@example.com", to: ["ann@example.com"], isSecure: true, user: MAIL_USER },
    ]);
    const { text } = server.mails[0]!;
    expect(text).toMatch(/^Subject: Key Budget: Budget Crossed: ci\r$/m);
    expect(text).toMatch(/^Message-ID: <evt_1@example.com>\r$/m);
    expect(text).toContain("Max budget: $1\r\n");
    expect(await send({ ...login, SMTP_PASSWORD: "wrong" })).toMatch(/^refused with 535/);
  });

  it("goes over TLS from the first byte where it is told so", async () => {
    server = await startMailServer({ ...certificate, secure: true });
    setDefaultCACertificates([...trusted, certificate.cert]);
    expect(await send({ SMTP_USE_SSL: "True" })).toBeUndefined();
    expect(server.mails).toMatchObject([{ isSecure: true }]);
  });

  it("tells a server without TLS nothing, unless it may", async () => {
    server = await startMailServer({ disabledCommands: ["STARTTLS"], allowInsecureAuth: true });
    expect(await send(login)).toMatch(/answer|refused/);
    expect([server.mails, server.logins]).toEqual([[], []]);
    expect(await send({ ...login, SMTP_TLS: "False" })).toBeUndefined();
    expect(server.mails).toHaveLength(1);
  });

  it("lets nobody add headers, recipients or commands", async () => {
    server = await startMailServer({ disabledCommands: ["STARTTLS"] });
    const odd = "x\r\nBcc: eve@example.com\r\n\r\n.\r\nMAIL FROM:<eve@example.com>\u0000\u0085\u2028é";
    expect(await send({ SMTP_TLS: "False" }, { key_alias: odd, team_id: odd })).toBeUndefined();
    expect(server.mails).toHaveLength(1);
    expect(server.mails[0]!.to).toEqual(["ann@example.com"]);
    const head = server.mails[0]!.text.split("\r\n\r\n")[0]!;
    expect(head).not.toMatch(/^(?:bcc|mail)/im);
    for (const to of [
      "a@b\r\nRCPT TO:<eve@example.com>",
      "a@b,eve@example.com",
      "<a@b>",
      "a b@c",
      "",
      "a@b>",
    ])
      expect(
        recipientsOf({ generalSettings: { alertEmails: [to] } as never, environment: base }, {}),
      ).toEqual([]);
    const config = {
      generalSettings: { alertEmails: ["ops@example.com", "ann@example.com"] } as never,
      environment: base,
    };
    expect(recipientsOf(config, { user_email: "ann@example.com" })).toEqual([
      "ann@example.com",
      "ops@example.com",
    ]);
    expect(recipientsOf({ ...config, environment: {} }, {})).toEqual([]);
  });

  it("says that it was refused, hung up on or kept waiting, and names no secret", async () => {
    server = await startMailServer({ disabledCommands: ["STARTTLS"] });
    server.refuse(1);
    expect(await send({ SMTP_TLS: "False" })).toMatch(/^refused with 451/);
    const silent = createServer((socket) => socket.on("error", () => undefined));
    await new Promise<void>((ready) => silent.listen(0, "127.0.0.1", ready));
    const { port } = silent.address() as { port: number };
    const slow = await send({ SMTP_PORT: String(port), SMTP_TIMEOUT: "0.2", ...login });
    expect(slow).toMatch(/^no answer/);
    const controller = new AbortController();
    const settings = mailServerOf({ ...base, SMTP_PORT: String(port) })!;
    const stopped = sendEmail(settings, "a@example.com", "evt", event, controller.signal);
    silent.once("connection", () => controller.abort());
    await expect(stopped).rejects.toThrow();
    silent.close();
    expect(await send({ SMTP_PORT: String(port) })).toMatch(/^no answer \(E\w+\)$/);
  });

  it.each([
    { SMTP_HOST: "" },
    { SMTP_SENDER_EMAIL: "nobody" },
    { SMTP_SENDER_EMAIL: "a@b\r\nX: y" },
    { SMTP_PORT: "many" },
    { SMTP_PORT: "70000" },
    { SMTP_TIMEOUT: "-1" },
  ])("has no server by %j", (wrong) => {
    expect(mailServerOf({ ...base, ...wrong })).toBeUndefined();
  });
});
