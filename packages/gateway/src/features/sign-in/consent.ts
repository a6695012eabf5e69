import type { BufferedReply } from "../../contract/exchange.ts";

/** What somebody is asked before a command line gets a session. */
export interface ConsentQuestion {
  readonly user: string;
  /** The gateway's own, as the browser knows it. */
  readonly host: string;
  /** Where the command line waits on the browser's machine. */
  readonly port: number;
  /** The code that the command line shows. */
  readonly code: string;
  /** Goes back with the answer. */
  readonly ticket: string;
  readonly cookie: string;
}

/** The page that asks. No other page may frame it, and its form leads to the gateway and to the command line alone. */
export function consentPage({ user, host, port, code, ticket, cookie }: ConsentQuestion): BufferedReply {
  const body = `<h1>Sign in a command line?</h1>
<p>A program that waits at <b>127.0.0.1:${port}</b> on this computer asks for a session at <b>${escaped(host)}</b> as
<b>${escaped(user)}</b>. It may then do there what you may.</p>
<p>Go on only if you have just started <code>portico login</code> yourself and it shows this code:</p>
<p class="code">${code}</p>
<form method="post" action="/sso/cli/confirm"><input type="hidden" name="ticket" value="${escaped(ticket)}">
<button name="answer" value="approve">The code is the same: sign in</button>
<button name="answer" value="deny">Refuse</button></form>`;
  return page(body, { "set-cookie": cookie }, `'self' http://127.0.0.1:${port}`);
}

/** The page after a refusal. */
export function refusedPage(cookie: string): BufferedReply {
  return page("<h1>Refused</h1><p>The command line gets no session. This page can be closed.</p>", {
    "set-cookie": cookie,
  });
}

function page(body: string, headers: Readonly<Record<string, string>>, formAction = "'none'"): BufferedReply {
  const style =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:10vh auto;padding:0 1rem;color-scheme:light dark}.code{font:700 2rem monospace;letter-spacing:.1em}button{font:inherit;padding:.4rem .8rem;margin-right:.5rem}";
  return {
    status: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; form-action ${formAction}`,
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      // With no-referrer browsers would not say that the answer comes from this page.
      "referrer-policy": "same-origin",
      ...headers,
    },
    body: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Portico</title><style>${style}</style><main>${body}</main></html>`,
  };
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
