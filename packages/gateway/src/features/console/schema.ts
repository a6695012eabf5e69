import { answers, type GroupDescription, json } from "../../contract/operation.ts";
import { amount, flag, given, list, map, object, orNull, text, whole, word } from "../../contract/schema.ts";

/** The query of the overview. */
export const overviewQuery = object({
  hours: whole("The stretch of time up to now, in hours.", { minimum: 1, maximum: 720, default: 24 }),
});

/** The body that signs in. */
export const newSessionBody = given({
  "key!": text("A gateway key.", { minLength: 1, maxLength: 512 }),
});

const session = object({
  "role!": text("What the key may do."),
  "user_id!": orNull(text()),
  "key_name!": orNull(text("The key's alias.")),
  "key_hash!": text("The hash of the key, by which `/key/list` names it."),
  "may!": map(
    object({
      "all!": flag("Everything; the lists are empty then."),
      "organizations!": list(text(), "What belongs to these."),
      "teams!": list(text()),
      "user!": orNull(text("What belongs to this user.")),
      "key!": orNull(text("The key with this hash.")),
    }),
    "What of the console's pages and buttons it may use: to each route what it reaches. Routes that would be refused are left out.",
  ),
  "by!": word(["key", "sso"], "What ends the session: `DELETE /ui/session`, or `POST /sso/logout`."),
});
const console = "It wants the header `x-portico-console: 1`, which pages of other sites cannot send.";

const totals = {
  "requests!": whole(),
  "failures!": whole("Requests whose status is not `success`."),
  "prompt_tokens!": whole(),
  "completion_tokens!": whole(),
  "cache_read_tokens!": whole("Of the prompts' tokens, those that were read from the provider's cache."),
  "spend!": amount("US dollars."),
  "streams!": whole("Streams whose answer began."),
  "first_ms!": whole("Milliseconds until then, of all of them together."),
};

/** The console and what it alone asks for. */
export const consoleDescription: GroupDescription = {
  tag: "Console",
  about: "The console at `/ui`, and the sums that it shows. All else it takes from the other endpoints.",
  operations: [
    {
      method: "GET",
      path: "/ui",
      id: "openConsole",
      summary: "The way to the console",
      answer: { about: "A page that leads browsers to `/ui/`.", content: { "text/html": text() } },
    },
    {
      method: "GET",
      path: "/ui/",
      id: "showConsole",
      summary: "The console's page",
      answer: { about: "A page for browsers.", content: { "text/html": text() } },
    },
    {
      method: "GET",
      path: "/ui/assets/{file}",
      id: "loadConsolePart",
      summary: "What that page loads",
      answer: {
        about: "A script or a style sheet.",
        content: { "text/javascript": text(), "text/css": text() },
      },
      errors: { 404: { when: "The page loads no such file." } },
    },
    {
      method: "POST",
      path: "/ui/session",
      id: "signIn",
      summary: "Sign in to the console with a key",
      about: `Answers a cookie that holds for twelve hours, as long as the key does. ${console}`,
      request: json(newSessionBody),
      answer: answers("Who is signed in.", session),
    },
    {
      method: "GET",
      path: "/ui/session",
      id: "showSession",
      summary: "Who is signed in",
      answer: answers("Who asks, by key or by cookie.", session),
    },
    {
      method: "DELETE",
      path: "/ui/session",
      id: "signOut",
      summary: "Sign out of the console",
      about: console,
      answer: answers("The cookie is taken back.", object({ "deleted!": flag() })),
    },
    {
      method: "GET",
      path: "/ui/configuration",
      id: "showConfiguration",
      summary: "The configuration file in force, and what is wrong with it",
      about:
        "Texts are written anew, without comments and with every secret masked. Where what stands in the file now was rejected, that is shown beside it.",
      answer: answers(
        "The file; `null` where there is none.",
        object({
          "file!": orNull(text("Its path.")),
          loaded_at: text(),
          text: orNull(text("YAML.")),
          warnings: list(text("A place and what is wrong there.")),
          rejected: object({ "at!": text(), "text!": orNull(text("YAML.")), "problems!": list(text()) }),
        }),
      ),
    },
    {
      method: "GET",
      path: "/ui/overview",
      id: "showOverview",
      summary: "Requests, failures, tokens and spend over time and by model",
      about: "Keys that do not administer see their own requests.",
      query: overviewQuery,
      answer: answers(
        "Sums in all, in steps of time and by model.",
        object({
          "start!": text(),
          "end!": text(),
          "step!": whole("Seconds."),
          "totals!": object(totals),
          "series!": list(object({ "time!": text(), ...totals }), "Steps without a request are left out."),
          "models!": list(object({ "model!": text(), "average_seconds!": amount(), ...totals })),
        }),
      ),
    },
  ],
};
