// Writes the table of rules into docs/gateway/rules.md, from the running gateway's own description.
import { everyOperation } from "./everything.ts";
import { rulesTable, writeTable } from "./table.ts";

const table = rulesTable(await everyOperation());
writeTable(table);
process.stdout.write(`${table}\n`);
