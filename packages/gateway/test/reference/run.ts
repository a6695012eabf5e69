import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { apiPage, groupsOf } from "./api-page.ts";
import { providersPage } from "./providers-page.ts";

/** `npm run reference -w portico`: writes the pages of endpoints and providers; with `-- SOURCES FILE` endpoints of other sources. */
const docs = resolve("../../docs/gateway");
const [sources = resolve(import.meta.dirname, "../../src"), file] = process.argv.slice(2);
writeFileSync(file ?? resolve(docs, "api.md"), apiPage(await groupsOf(sources)));
if (file === undefined) writeFileSync(resolve(docs, "providers.md"), providersPage());
