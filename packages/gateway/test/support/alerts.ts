import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./gateway.ts";
import { startMailServer, type TestMailServer } from "./mail-server.ts";
import { hasPostgres } from "./services.ts";
import { openDatabases, type TestDatabases } from "./shared-postgres.ts";
import { startProvider, type TokenProvider } from "./token-provider.ts";
import { until } from "./until.ts";

/** US dollars of each call: 100 tokens. */
const CALL = 0.001;
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

interface Told {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly event: Record<string, unknown>;
}

/** Takes alerts; the first tries fail where it says so. */
class Receiver {
  readonly told: Told[] = [];
  failures = 0;
  readonly #server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (this.failures > 0) {
        this.failures -= 1;
        return response.writeHead(503).end();
      }
      const text = Buffer.concat(chunks).toString();
      const event = JSON.parse(text) as Record<string, unknown>;
      this.told.push({ path: request.url ?? "", headers: request.headers, text, event });
      response.end("ok");
    });
  });
  url = "";

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
  /** What receivers tell repeated events by (Standard Webhooks). */
  idsAbout(token: unknown): unknown[] {
    return this.told
      .filter(({ path, event }) => path === "/hook" && event.token === token)
      .map(({ headers }) => headers["webhook-id"]);
  }
  /** Events of webhooks about something. */
  about(fields: Record<string, unknown>): Record<string, unknown>[] {
    return this.told
      .filter(({ path }) => path === "/hook")
      .map(({ event }) => event)
      .filter((event) => Object.entries(fields).every(([name, value]) => event[name] === value));
  }
}

/** Tests alerts of budgets on SQLite, or with more than one replica on PostgreSQL. */
export function testAlerts(count: number): void {
  const isHere = count === 1 || hasPostgres;
  const receiver = new Receiver();
  let provider: TokenProvider;
  let postgres: TestDatabases | undefined;
  let mail: TestMailServer;
  let replicas: TestGateway[] = [];
  beforeAll(async () => {
    if (!isHere) return;
    await receiver.start();
    mail = await startMailServer({ disabledCommands: ["STARTTLS"] });
    provider = await startProvider();
    postgres = count > 1 ? await openDatabases() : undefined;
    const price = "input_cost_per_token: 0.00001, output_cost_per_token: 0.00001";
    const config = `model_list:
  - {model_name: m, litellm_params: {model: openai/m, api_base: "${provider.url}", api_key: x, ${price}}}
general_settings:
  alerting: [webhook, slack, email]
  alert_emails: [ops@example.com]
`;
    const environment = {
      WEBHOOK_URL: `${receiver.url}/hook`,
      SLACK_WEBHOOK_URL: `${receiver.url}/services/T0/B0/secret-of-slack`,
      WEBHOOK_SECRET: SECRET,
      SMTP_HOST: "127.0.0.1",
      SMTP_PORT: String(mail.port),
      SMTP_TLS: "False",
      SMTP_SENDER_EMAIL: "gateway@example.com",
      ...(postgres === undefined ? {} : { DATABASE_URL: await postgres.createDatabase() }),
    };
    for (let index = 0; index < count; index += 1)
      replicas.push(await startTestGateway({ config, environment }));
  });
  afterEach(() => {
    receiver.failures = 0;
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.close()));
    replicas = [];
    await postgres?.stop();
    provider?.close();
    receiver.close();
    await mail?.close();
  });

  /** Calls at all replicas at the same moment. */
  async function call(key: string, calls: number, more: object = {}): Promise<number[]> {
    const body = { model: "m", max_tokens: 50, messages: [{ role: "user", content: "x" }], ...more };
    return Promise.all(
      Array.from({ length: calls }, async (_each, at) => {
        const answer = await replicas[at % count]!.call("/v1/chat/completions", { key, body });
        await answer.text();
        return answer.status;
      }),
    );
  }

  it.runIf(isHere)(
    "go by e-mail to the user and to those who are named, again where it was refused",
    async () => {
      const user = `mailed-${count}`;
      await replicas[0]!.must("/user/new", {
        user_id: user,
        user_email: `${user}@example.com`,
        max_budget: CALL,
        auto_create_key: false,
      });
      const { key } = await replicas[0]!.must("/key/generate", { user_id: user });
      mail.refuse(1);
      await call(key as string, 2);
      const mails = () => mail.mails.filter(({ text }) => text.includes(`User: ${user}@example.com`));
      await until(() => mails().length === 2);
      expect(
        mails()
          .flatMap(({ to }) => to)
          .sort(),
      ).toEqual([`${user}@example.com`, "ops@example.com"]);
      for (const { from, text } of mails()) {
        expect(from).toBe("gateway@example.com");
        expect(text).toMatch(/^Subject: User Budget: Budget Crossed\r$/m);
        expect(text).not.toContain(key);
      }
    },
  );

  it.runIf(isHere)("tell once that a key's budget is crossed, signed and without the key", async () => {
    const made = await replicas[0]!.must("/key/generate", {
      key_alias: `crossed ${count}`,
      max_budget: 3 * CALL,
    });
    const key = made.key as string;
    await call(key, 8);
    const crossed = { event: "budget_crossed", token: made.token_id };
    await until(() => receiver.about(crossed).length > 0);
    await call(key, 4);
    const [event] = receiver.about(crossed);
    expect(event).toMatchObject({
      ...crossed,
      event_group: "key",
      event_message: "Key Budget: Budget Crossed",
      key_alias: `crossed ${count}`,
      max_budget: 3 * CALL,
      user_id: null,
      user_email: null,
      projected_exceeded_date: null,
    });
    expect(event!.spend).toBeGreaterThanOrEqual(3 * CALL - 1e-9);
    const told = receiver.told.find(
      ({ path, event: each }) => path === "/hook" && each.token === made.token_id,
    )!;
    const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signature } = told.headers;
    const secret = Buffer.from(SECRET.slice(6), "base64");
    const expected = createHmac("sha256", secret).update(`${String(id)}.${String(time)}.${told.text}`);
    expect(signature).toBe(`v1,${expected.digest("base64")}`);
    await until(() =>
      receiver.told.some(
        ({ path, text }) => path.startsWith("/services/") && text.includes(`crossed ${count}`),
      ),
    );
    // Another budget's alert comes after whatever else this one could have sent.
    const after = await replicas[0]!.must("/key/generate", { soft_budget: CALL });
    await call(after.key as string, 1);
    await until(() => receiver.about({ token: after.token_id }).length > 0);
    expect(receiver.about(crossed)).toHaveLength(1);
    for (const { text } of receiver.told) expect(text).not.toContain(key);
  });

  it.runIf(isHere)("tell of soft budgets at every level, which refuse nothing", async () => {
    const id = `soft ${count}`;
    const soft = { soft_budget: 2 * CALL, budget_duration: "30d" };
    await replicas[0]!.must("/organization/new", { organization_id: id, organization_alias: id, ...soft });
    await replicas[0]!.must("/team/new", { team_id: id, organization_id: id, ...soft });
    await replicas[0]!.must("/user/new", {
      user_id: id,
      user_email: `u${count}@example.com`,
      auto_create_key: false,
      ...soft,
    });
    await replicas[0]!.must("/team/member_add", {
      team_id: id,
      member: { user_id: id, role: "user" },
      ...soft,
    });
    await replicas[0]!.must("/customer/new", { user_id: id, ...soft });
    await replicas[0]!.must("/tag/new", { name: id, ...soft });
    const { key } = await replicas[0]!.must("/key/generate", {
      team_id: id,
      user_id: id,
      tags: [id],
      ...soft,
    });
    const { key: own } = await replicas[0]!.must("/key/generate", { user_id: id });
    // The first customer and tag are in force on other replicas within a second.
    await until(async () => {
      const statuses = await call(key as string, 2 * count, { user: id });
      expect(new Set(statuses)).toEqual(new Set([200]));
      await call(own as string, 2);
      const groups = new Set(
        receiver
          .about({ event: "soft_budget_crossed", soft_budget: 2 * CALL })
          .map((event) => event.event_group),
      );
      return groups.size === 7;
    });
    const events = receiver.about({ event: "soft_budget_crossed", soft_budget: 2 * CALL });
    const of = (group: string) => events.filter((event) => event.event_group === group);
    expect(of("team")).toMatchObject([{ team_id: id, event_message: "Team Budget: Soft Budget Crossed" }]);
    expect(of("user")).toMatchObject([{ user_id: id, user_email: `u${count}@example.com` }]);
    expect(of("team_member")).toMatchObject([{ team_id: id, user_id: id }]);
    expect(of("organization")).toMatchObject([{ organization_id: id }]);
    expect(of("end_user")).toMatchObject([{ customer_id: id }]);
    expect(of("tag")).toMatchObject([{ tag: id }]);
    expect(of("key")).toHaveLength(1);
  });

  it.runIf(isHere)(
    "tell that little is left, of budgets for a model too, and again after a reset",
    async () => {
      const { key, token_id: token } = await replicas[0]!.must("/key/generate", {
        model_max_budget: { m: { max_budget: 40 * CALL, budget_duration: "30d" } },
      });
      const told = (part: string) =>
        receiver.about({ token, model: "m", event_message: `Key Budget: ${part} Threshold Crossed` });
      await call(key as string, 35);
      await until(() => told("15%").length === 1);
      await call(key as string, 4);
      await until(() => told("5%").length === 1);
      await replicas[0]!.must(`/key/${String(token)}/reset_spend`, { reset_to: 0 });
      await call(key as string, 35);
      await until(() => told("15%").length === 2);
      // However little time is left between a reset and the calls behind it, each time is told of, by an id of its own.
      for (const times of [3, 4, 5]) {
        await replicas[0]!.must(`/key/${String(token)}/reset_spend`, { reset_to: 0 });
        await call(key as string, 35);
        await until(() => told("15%").length === times);
      }
      expect(new Set(receiver.idsAbout(token)).size).toBe(receiver.idsAbout(token).length);
    },
  );

  it.runIf(isHere)("are tried again where the receiver fails", async () => {
    receiver.failures = 1;
    const { key, token_id: token } = await replicas[0]!.must("/key/generate", { soft_budget: CALL });
    await call(key as string, 1);
    await until(() => receiver.about({ token }).length === 1);
    await until(() =>
      receiver.told.some(({ path, text }) => path !== "/hook" && text.includes(String(token))),
    );
  });

  it.runIf(isHere)("leave no address in the log", () => {
    // Whichever replica is first sends an alert.
    const logs = replicas.map(({ log }) => log()).join("");
    expect(logs).toContain("a budget's alert is sent");
    expect(logs).not.toContain("secret-of-slack");
  });
}
