import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { check, checkQuery } from "../../contract/check.ts";
import { GatewayError, invalidRequest, notFound } from "../../contract/errors.ts";
import type { Access, BufferedReply, Exchange, Handler, Route } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { parseJsonBody } from "../../contract/json-body.ts";
import { changerOf } from "../../core/auth/records/change.ts";
import { hostCookie, requireOwnPage, sessionCookie } from "../../core/auth/session-cookie.ts";
import type { Feature } from "../../core/feature.ts";
import { publicAddress } from "../../core/http/public-address.ts";
import type { Core } from "../../core/open-core.ts";
import type { SsoSettings } from "../../platform/config/read/read-sso.ts";
import type { Platform } from "../../platform/open-platform.ts";
import { cookieOf } from "../../util/cookies.ts";
import { userCode } from "../../util/user-code.ts";
import { consentPage, refusedPage } from "./consent.ts";
import { cliTokenBody, signInDescription, startQuery } from "./schema.ts";
import { SealedState } from "./sealed-state.ts";
import { Sessions, type SignedIn } from "./sessions.ts";

/** Seconds that somebody has for signing in, and a command line for taking its session. */
const SIGN_IN_TIME = 600;
const TAKE_TIME = 120;
const FLOW_COOKIE = "portico_sign_in";
const CONSENT_COOKIE = "portico_consent";
const HOME = "/docs";

/** Signing in at the identity provider of `general_settings.sso`; without one there are no routes. */
export function openSignIn({ keys }: Core, { config, seal, upstream }: Platform): Feature {
  if (keys === undefined || config.current.sso === undefined) return { routes: [], descriptions: [] };
  const sessions = new Sessions(keys);
  const states = new SealedState(seal);
  const loading = lazily(async () => new (await import("./provider.ts")).SignInProvider(upstream));
  const settingsNow = (): SsoSettings => {
    const { sso } = config.current;
    if (sso === undefined) throw notFound("Nobody can sign in here: general_settings.sso is not set");
    return sso;
  };
  const addressOf = ({ headers }: Exchange): string => publicAddress(headers, config.current);

  const start: Handler = async (exchange) => {
    const settings = settingsNow();
    const asked = checkQuery(startQuery, exchange.query);
    const isCommandLine = asked.cli_port !== undefined;
    if (isCommandLine && (asked.cli_challenge === undefined || asked.cli_state === undefined))
      throw invalidRequest("cli_port: needs cli_challenge and cli_state", "cli_port");
    const port = Number(asked.cli_port);
    if (isCommandLine && (port < 1024 || port > 65_535))
      throw invalidRequest("cli_port: expected a port from 1024 to 65535", "cli_port");
    const checks = { state: random(), nonce: random(), verifier: random() };
    const flow = {
      ...checks,
      returnTo: ownPage(asked.return_to),
      ...(isCommandLine ? { port, challenge: asked.cli_challenge, cliState: asked.cli_state } : {}),
    };
    const address = addressOf(exchange);
    const location = await (await loading()).startAddress(settings, `${address}/sso/callback`, checks);
    return redirect(
      location,
      stepCookie(FLOW_COOKIE, states.seal("sign-in", flow, SIGN_IN_TIME), isSecure(address)),
    );
  };

  const callback: Handler = async (exchange) => {
    const settings = settingsNow();
    const address = addressOf(exchange);
    const flow = states.open("sign-in", cookieIn(exchange.headers, FLOW_COOKIE, isSecure(address)));
    if (flow === undefined)
      throw new GatewayError(
        401,
        "authentication_error",
        "This sign-in was not begun here, or took too long",
      );
    const back = new URL(`${address}/sso/callback?${exchange.query.toString()}`);
    const claims = await (await loading()).finish(settings, back, flow as unknown as Flow);
    const user = await sessions.admit(claims, settings);
    if (flow.port !== undefined) return askForConsent(user, flow, address);
    const { key } = await sessions.begin(user, settings.sessionHours, exchange.address);
    const cookie = sessionCookie(key, settings.sessionHours * 3600, isSecure(address));
    return redirect(ownPage(flow.returnTo), cookie);
  };

  /** Whoever is signed in already could be led here by somebody else's link: the browser's user is asked first. */
  const askForConsent = (user: SignedIn, flow: JsonObject, address: string): BufferedReply => {
    const { port, challenge, cliState } = flow;
    const browser = random();
    const id = random();
    const ticket = states.seal(
      "consent",
      { user: { ...user }, port, challenge, cliState, id, browser },
      SIGN_IN_TIME,
    );
    return consentPage({
      user: user.userId,
      host: new URL(address).host,
      port: Number(port),
      code: userCode(String(challenge)),
      ticket,
      cookie: stepCookie(CONSENT_COOKIE, browser, isSecure(address)),
    });
  };

  const confirm: Handler = async (exchange) => {
    settingsNow();
    requireOwnPage(exchange.headers);
    const over = isSecure(addressOf(exchange));
    const form = new URLSearchParams((await exchange.readBody()).toString());
    const ticket = states.open("consent", form.get("ticket") ?? "");
    const browser = cookieIn(exchange.headers, CONSENT_COOKIE, over);
    if (ticket === undefined || browser === "" || ticket.browser !== browser)
      throw new GatewayError(401, "authentication_error", "This was not asked here, or took too long");
    const ended = stepCookie(CONSENT_COOKIE, "", over, 0);
    if (form.get("answer") !== "approve") return refusedPage(ended);
    const { user, challenge, id, port, cliState } = ticket as unknown as Ticket;
    // What was asked once makes one session, however often it is answered.
    const code = states.seal("command-line", { ...user, challenge, id }, TAKE_TIME);
    const query = new URLSearchParams({ code, state: cliState });
    return redirect(`http://127.0.0.1:${port}/callback?${query.toString()}`, ended);
  };

  const takeForCommandLine: Handler = async (exchange) => {
    const settings = settingsNow();
    const { code, code_verifier: verifier } = check(cliTokenBody, await parseJsonBody(exchange));
    const taken = states.open("command-line", code);
    if (taken === undefined || taken.challenge !== (await challengeOf(verifier)))
      throw new GatewayError(
        401,
        "authentication_error",
        "The code is unknown, or was made for another verifier",
      );
    const { id, ...user } = taken as unknown as SignedIn & { readonly id: string };
    const used = { id, until: Date.now() + (SIGN_IN_TIME + TAKE_TIME) * 1000 };
    const { key, row } = await sessions.begin(user, settings.sessionHours, exchange.address, used);
    return {
      status: 200,
      headers: UNCACHED,
      body: { key, user_id: user.userId, expires: timeOf(row.expires_at) },
    };
  };

  const show: Handler = async ({ principal }) => {
    const session = await sessions.find(principal.keyHash);
    const { userId = null, role } = principal;
    const body: JsonObject = {
      user_id: userId,
      user_role: role,
      expires: timeOf(session?.expires_at ?? null),
    };
    return { status: 200, headers: UNCACHED, body };
  };

  const signOut: Handler = async (exchange) => {
    const { principal } = exchange;
    if ((await sessions.find(principal.keyHash)) === undefined)
      throw invalidRequest("This key is no session; delete it with /key/delete");
    requireOwnPage(exchange.headers);
    await sessions.end(principal.keyHash, changerOf(exchange));
    const cookie = sessionCookie(undefined, 0, isSecure(addressOf(exchange)));
    return { status: 200, headers: { ...UNCACHED, "set-cookie": cookie }, body: { signed_out: true } };
  };

  const routes = [
    route("GET", "/sso/key/generate", "public", start),
    route("GET", "/sso/callback", "public", callback),
    route("POST", "/sso/cli/confirm", "public", confirm),
    route("POST", "/sso/cli/token", "public", takeForCommandLine),
    route("GET", "/sso/session", "key", show),
    route("POST", "/sso/logout", "key", signOut),
  ];
  const chores = { "ended-sessions": () => sessions.sweep() };
  return { routes, descriptions: [signInDescription], chores };
}

interface Flow {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** What a command line asked for and its user was asked. */
interface Ticket {
  readonly user: SignedIn;
  readonly port: number;
  readonly challenge: string;
  readonly cliState: string;
  readonly id: string;
}

const UNCACHED = { "cache-control": "no-store" };

function route(method: Route["method"], path: string, access: Access, handler: Handler): Route {
  return { method, path, access, family: "openai", callType: "sign_in", handler, maxBodyBytes: 16_384 };
}

function redirect(location: string, cookie?: string): BufferedReply {
  const headers = { location, ...UNCACHED, "referrer-policy": "no-referrer" };
  return {
    status: 303,
    headers: cookie === undefined ? headers : { ...headers, "set-cookie": cookie },
    body: "",
  };
}

/** A page of the gateway itself, whatever else somebody wants: nobody is led elsewhere by a link to the sign-in. */
function ownPage(wanted: unknown): string {
  const isOwn = typeof wanted === "string" && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(wanted);
  return isOwn ? wanted : HOME;
}

/** A cookie of one step of signing in. */
function stepCookie(name: string, value: string, over: boolean, seconds = SIGN_IN_TIME): string {
  const secure = over ? "; Secure" : "";
  return `${hostCookie(name, over)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`;
}

function cookieIn(headers: IncomingHttpHeaders, name: string, over: boolean): string {
  return cookieOf(headers.cookie, hostCookie(name, over)) ?? "";
}

function isSecure(address: string): boolean {
  return address.startsWith("https:");
}

async function challengeOf(verifier: string): Promise<string> {
  const { calculatePKCECodeChallenge } = await import("openid-client");
  return calculatePKCECodeChallenge(verifier);
}

function timeOf(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

function random(): string {
  return randomBytes(32).toString("base64url");
}

/** Makes something when it is first asked for. */
function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
