import type { IncomingHttpHeaders } from "node:http";
import { parseJsonObject } from "../../contract/json.ts";
import { hostCookie } from "../../core/auth/session-cookie.ts";
import type { SealedText } from "../../platform/store/sealed-text.ts";
import { cookieOf } from "../../util/cookies.ts";

const NAME = "portico_console";
const MARK = "sealed:v1:";

/** Milliseconds that a session lasts. */
const LIFETIME = 12 * 3_600_000;

/** The header that the console sends; no other site can make a browser send it without asking the gateway first. */
export const CONSOLE_HEADER = "x-portico-console";

/**
 * Sessions of the console: a cookie that no script reads, with the hash of the key that was signed in with and its end,
 * encrypted. It holds while the key does: one that is deleted, renewed or blocked ends its sessions at once.
 */
export class SessionCookie {
  readonly #seal: SealedText;

  constructor(seal: SealedText) {
    this.#seal = seal;
  }

  /** `Set-Cookie` for a session with a key. */
  begin(keyHash: string, isSecure: boolean): string {
    const sealed = this.#seal.seal(JSON.stringify({ session: keyHash, until: Date.now() + LIFETIME }));
    return cookie(sealed.slice(MARK.length), LIFETIME / 1000, isSecure);
  }

  /** `Set-Cookie` that takes the session back. */
  end(isSecure: boolean): string {
    return cookie("", 0, isSecure);
  }

  /**
   * The hash of the key of a request's session; undefined without one, and for requests that are not the console's.
   * @param isSecure whether the browser asked over https
   */
  keyHashOf(headers: IncomingHttpHeaders, isSecure: boolean): string | undefined {
    if (!isFromConsole(headers)) return undefined;
    const value = cookieOf(headers.cookie, hostCookie(NAME, isSecure));
    const text = value && this.#seal.open(MARK + value);
    const { session, until } = parseJsonObject(text || "") ?? {};
    return typeof session === "string" && typeof until === "number" && until > Date.now()
      ? session
      : undefined;
  }
}

/** Whether the console's own page sent a request, rather than a form or a script of another site. */
export function isFromConsole(headers: IncomingHttpHeaders): boolean {
  const site = headers["sec-fetch-site"];
  return headers[CONSOLE_HEADER] === "1" && (site === undefined || site === "same-origin");
}

function cookie(value: string, seconds: number, isSecure: boolean): string {
  return `${hostCookie(NAME, isSecure)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${isSecure ? "; Secure" : ""}`;
}
