import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import { notFound } from "../../contract/errors.ts";
import { type Exchange, publicRoute, type Reply, type Route } from "../../contract/exchange.ts";
import { PackedFiles } from "../../core/http/packed-files.ts";
import type { ConfigSource } from "../../platform/config/gateway-config.ts";

/** Names that the console's build gives its files: nothing in them leads out of the folder. */
const FILE_NAME = /^[\w-]+\.(?:js|css)$/;

const TYPES: Readonly<Record<string, string>> = { ".css": "text/css", ".js": "text/javascript" };

/**
 * `GET /ui`: the console's page; `GET /ui/assets/:file`: what it loads. A build of the gateway puts the files, compressed,
 * into `console/` beside the bundle; the sources read them where the console's own build leaves them.
 */
export function assetRoutes(config: ConfigSource): Route[] {
  const files = new PackedFiles("console", built);
  return [
    publicRoute("/ui", "console", async () => ({
      status: 200,
      headers: ONWARD_HEADERS,
      body: Buffer.from(ONWARD),
    })),
    publicRoute("/ui/", "console", () => page(files, config.current.sso !== undefined)),
    publicRoute("/ui/assets/:file", "console", (exchange) => asset(exchange, files)),
  ];
}

/** The page's addresses are relative to `/ui/`, also where a proxy serves the gateway below a path. */
const ONWARD = `<!doctype html><html lang="en"><meta http-equiv="refresh" content="0; url=ui/"><title>Portico</title>
<p><a href="ui/">The console</a></p></html>
`;

const ONWARD_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
};

async function page(files: PackedFiles, hasSso: boolean): Promise<Reply> {
  const nonce = randomBytes(16).toString("base64");
  const html = (await files.read("index.html")).toString("utf8");
  return {
    status: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy":
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; ` +
        "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    },
    body: Buffer.from(
      html
        .replace('name="style-nonce" content=""', `name="style-nonce" content="${nonce}"`)
        .replace('name="sso" content=""', `name="sso" content="${hasSso ? "yes" : ""}"`),
    ),
  };
}

async function asset({ params, headers }: Exchange, files: PackedFiles): Promise<Reply> {
  const name = params.file!;
  const missing = notFound(`There is no file /ui/assets/${name}`);
  if (!FILE_NAME.test(name)) throw missing;
  const answered = {
    "content-type": `${TYPES[extname(name)]}; charset=utf-8`,
    // The name changes with the content.
    "cache-control": "public, max-age=31536000, immutable",
    vary: "accept-encoding",
    "x-content-type-options": "nosniff",
  };
  return files.reply(`assets/${name}`, headers, answered).catch(() => {
    throw missing;
  });
}

/** Where the console's own build leaves a file. */
function built(name: string): string {
  return join(dirname(createRequire(import.meta.url).resolve("portico-console/package.json")), "dist", name);
}
