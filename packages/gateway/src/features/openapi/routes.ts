import { type Exchange, publicRoute, type Reply } from "../../contract/exchange.ts";
import type { Feature } from "../../core/feature.ts";
import { VERSION } from "../../util/version.ts";
import { docsRoutes } from "./docs-page.ts";
import { openapiDocument } from "./document.ts";
import { openapiDescription } from "./schema.ts";

/**
 * `GET /`; `GET /openapi.json`: the description of these features, made when it is first asked for; `GET /docs`: the
 * same as a page.
 * @param features all that are open, this one among them
 */
export function openOpenapi(features: () => readonly Feature[]): Feature {
  let document: Buffer | undefined;
  const description = publicRoute("/openapi.json", "openapi", async () => {
    document ??= Buffer.from(JSON.stringify(openapiDocument(features())));
    return { status: 200, headers: { "content-type": "application/json" }, body: document };
  });
  return {
    routes: [publicRoute("/", "home", home), ...docsRoutes(), description],
    descriptions: [openapiDescription],
  };
}

/** Where clients go from here with a key. */
const CLIENTS = {
  openai_base_url: "/v1",
  anthropic_base_url: "/anthropic",
  models: "/v1/models",
} as const;

/** Where a browser can go from here, by what for. */
const PAGES = {
  console: "/ui",
  docs: "/docs",
  openapi: "/openapi.json",
  health: "/health/readiness",
} as const;

/** `GET /`: says what this is and where to go, as HTML to browsers and as JSON to everybody else. */
async function home({ headers }: Exchange): Promise<Reply> {
  if (String(headers.accept ?? "").includes("text/html"))
    return { status: 200, headers: PAGE_HEADERS, body: Buffer.from(page()) };
  return { status: 200, headers: VARIES, body: { name: "Portico", version: VERSION, ...CLIENTS, ...PAGES } };
}

/** What keeps it keeps one answer for each kind of asker. */
const VARIES = { vary: "accept" };

const PAGE_HEADERS = {
  ...VARIES,
  "content-type": "text/html; charset=utf-8",
  // Nothing on the page runs or is loaded; it needs no right to.
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
};

function page(): string {
  const rows = Object.entries({ ...CLIENTS, ...PAGES }).map(([name, path]) => {
    const code = `<code>${path}</code>`;
    const place = name in PAGES ? `<a href="${path}">${code}</a>` : code;
    return `<dt>${name.replaceAll("_", " ")}</dt><dd>${place}</dd>`;
  });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Portico</title><style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 40rem; margin: 3rem auto; padding: 0 1rem } dd { margin: 0 0 .5rem }
</style></head><body><main><h1>Portico ${VERSION}</h1>
<p>A gateway in front of AI model providers. Point your client's base URL here and send a gateway key.</p>
<dl>${rows.join("")}</dl></main></body></html>
`;
}
