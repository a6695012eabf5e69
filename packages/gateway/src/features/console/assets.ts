import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { notFound } from "../../contract/errors.ts";
import type { Exchange, Reply, Route } from "../../contract/exchange.ts";
import type { ConfigSource } from "../../platform/config/gateway-config.ts";

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Names that the console's build gives its files: nothing in them leads out of the folder. */
const FILE_NAME = /^[\w-]+\.(?:js|css)$/;

const TYPES: Readonly<Record<string, string>> = { ".css": "text/css", ".js": "text/javascript" };

/**
 * `GET /ui`: the console's page; `GET /ui/assets/:file`: what it loads. A build of the gateway puts the files, compressed,
 * into `console/` beside the bundle; the sources read them where the console's own build leaves them.
 */
export function assetRoutes(config: ConfigSource): Route[] {
  const files = new Map<string, Promise<Buffer>>();
  const packed = (name: string): Promise<Buffer> => {
    const loading = files.get(name) ?? load(name);
    // One that cannot be read now may be there later.
    loading.catch(() => files.delete(name));
    files.set(name, loading);
    return loading;
  };
  const get = (path: string, handler: Route["handler"]): Route => ({
    method: "GET",
    path,
    access: "public",
    family: "openai",
    callType: "console",
    handler,
  });
  return [
    get("/ui", async () => ({ status: 200, headers: ONWARD_HEADERS, body: Buffer.from(ONWARD) })),
    get("/ui/", () => page(packed, config.current.sso !== undefined)),
    get("/ui/assets/:file", (exchange) => asset(exchange, packed)),
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

async function page(packed: (name: string) => Promise<Buffer>, hasSso: boolean): Promise<Reply> {
  const nonce = randomBytes(16).toString("base64");
  const html = (await unpack(await packed("index.html"))).toString("utf8");
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

async function asset(
  { params, headers }: Exchange,
  packed: (name: string) => Promise<Buffer>,
): Promise<Reply> {
  const name = params.file!;
  if (!FILE_NAME.test(name)) throw notFound(`There is no file /ui/assets/${name}`);
  const bytes = await packed(`assets/${name}`).catch(() => {
    throw notFound(`There is no file /ui/assets/${name}`);
  });
  const answered = {
    "content-type": `${TYPES[extname(name)]}; charset=utf-8`,
    // The name changes with the content.
    "cache-control": "public, max-age=31536000, immutable",
    vary: "accept-encoding",
    "x-content-type-options": "nosniff",
  };
  if (!/\bgzip\b/.test(String(headers["accept-encoding"] ?? "")))
    return { status: 200, headers: answered, body: await unpack(bytes) };
  return { status: 200, headers: { ...answered, "content-encoding": "gzip" }, body: bytes };
}

/** From beside the bundle, or from the console's build when the sources run. */
async function load(name: string): Promise<Buffer> {
  try {
    return await readFile(fileURLToPath(new URL(`./console/${name}.gz`, import.meta.url)));
  } catch {
    const built = dirname(createRequire(import.meta.url).resolve("portico-console/package.json"));
    return pack(await readFile(join(built, "dist", name)));
  }
}
