import { createRequire } from "node:module";
import { extname } from "node:path";
import { notFound } from "../../contract/errors.ts";
import { type Exchange, publicRoute, type Reply, type Route } from "../../contract/exchange.ts";
import { PackedFiles } from "../../core/http/packed-files.ts";

/**
 * The files of Swagger UI that the page loads; a build puts them, compressed, into `docs-page/` beside the bundle.
 * @public `rolldown.config.ts` loads it where this feature is there
 */
export const SWAGGER_FILES = [
  "swagger-ui-bundle.js",
  "swagger-ui-bundle.js.LICENSE.txt",
  "swagger-ui.css",
] as const;

/** `GET /docs`: `/openapi.json` as a page on which every endpoint can be called. */
export function docsRoutes(): Route[] {
  const files = new PackedFiles("docs-page", (name) =>
    createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`),
  );
  return [
    publicRoute("/docs", "docs", async () => ({
      status: 200,
      headers: PAGE_HEADERS,
      body: Buffer.from(PAGE),
    })),
    publicRoute("/docs/:file", "docs", (exchange) => file(exchange, files)),
  ];
}

async function file({ params, headers }: Exchange, files: PackedFiles): Promise<Reply> {
  const name = params.file!;
  const answered = {
    "content-type": `text/${types[extname(name)] ?? "plain"}; charset=utf-8`,
    ...FILE_HEADERS,
  };
  if (name === START_FILE) return { status: 200, headers: answered, body: Buffer.from(START) };
  if (!SWAGGER_FILES.some((known) => known === name)) throw notFound(`There is no file /docs/${name}`);
  return files.reply(name, headers, answered);
}

const types: Readonly<Record<string, string>> = { ".css": "css", ".js": "javascript" };

const FILE_HEADERS = {
  "cache-control": "public, max-age=3600",
  vary: "accept-encoding",
  "x-content-type-options": "nosniff",
};

const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  // Swagger UI sets styles on elements and has its pictures in data addresses.
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

const START_FILE = "start.js";

/** Addresses are relative, so that the page also works where a proxy serves the gateway below a path. */
const START = `SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#endpoints",
  deepLinking: true,
  filter: true,
  docExpansion: "none",
  defaultModelsExpandDepth: -1,
  tryItOutEnabled: true,
  validatorUrl: null,
});
`;

const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Portico: endpoints</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css"></head>
<body><div id="endpoints"></div>
<script src="docs/swagger-ui-bundle.js"></script><script src="docs/${START_FILE}"></script></body></html>
`;
