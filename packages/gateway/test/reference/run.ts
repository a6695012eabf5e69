import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { apiPage, groupsOf } from "./api-page.ts";

/** `npm run reference -w portico`: writes the page of endpoints; with `-- SOURCES FILE` that of other sources. */
const [sources = resolve(import.meta.dirname, "../../src"), file = resolve("../../docs/gateway/api.md")] =
  process.argv.slice(2);
writeFileSync(file, apiPage(await groupsOf(sources)));
