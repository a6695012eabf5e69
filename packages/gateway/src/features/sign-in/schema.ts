import { type Answer, answers, type GroupDescription, json } from "../../contract/operation.ts";
import { given, object, orNull, text } from "../../contract/schema.ts";

/** Where a sign-in goes on: a page of the gateway, or the command line's own port. */
export const startQuery = object({
  return_to: text("The page of the gateway to go on with, such as `/docs`.", { maxLength: 2000 }),
  cli_port: text("The port on which a command line waits for the answer.", { pattern: "^\\d{1,5}$" }),
  cli_challenge: text("The S256 challenge of its verifier (RFC 7636).", { pattern: "^[\\w-]{43}$" }),
  cli_state: text("What it gets back unchanged.", { pattern: "^[\\w-]{16,128}$" }),
});

export const cliTokenBody = given({
  "code!": text("The code that the browser brought.", { maxLength: 4000 }),
  "code_verifier!": text("The verifier of the challenge.", { pattern: "^[\\w.~-]{43,128}$" }),
});

const redirect: Answer = { about: "A redirect (303).", content: {}, status: 303 };

/** Signing in and out. */
export const signInDescription: GroupDescription = {
  tag: "Sign-in",
  about:
    "People sign in at the identity provider of `general_settings.sso`; their session is a key with an end.",
  isOptional: true,
  operations: [
    {
      method: "GET",
      path: "/sso/key/generate",
      id: "beginSignIn",
      summary: "Sign in",
      query: startQuery,
      answer: redirect,
    },
    {
      method: "GET",
      path: "/sso/callback",
      id: "finishSignIn",
      summary: "Where the identity provider sends the browser back",
      answer: redirect,
    },
    {
      method: "POST",
      path: "/sso/cli/confirm",
      id: "confirmCommandLine",
      summary: "What the page answers that asks before a command line gets a session",
      request: {
        content: {
          "application/x-www-form-urlencoded": object({
            "ticket!": text("What the page was given."),
            "answer!": text("`approve`, or anything else."),
          }),
        },
      },
      answer: {
        about: "A page, or a redirect (303) to the command line.",
        content: { "text/html": text() },
        redirects: true,
      },
    },
    {
      method: "POST",
      path: "/sso/cli/token",
      id: "signInCommandLine",
      summary: "Take the session of a command line",
      request: json(cliTokenBody),
      answer: answers("The session's key.", object({ key: text(), user_id: text(), expires: text() })),
    },
    {
      method: "GET",
      path: "/sso/session",
      id: "showSignIn",
      summary: "Who is signed in",
      answer: answers(
        "The user of the session or the key.",
        object({ user_id: orNull(text()), user_role: text(), expires: orNull(text()) }),
      ),
    },
    {
      method: "POST",
      path: "/sso/logout",
      id: "endSignIn",
      summary: "End the session",
      answer: answers("Ended; the key is refused from now on.", object()),
    },
  ],
};
