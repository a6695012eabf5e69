// Writes the table of rules into docs/gateway/rules.md, from the running gateway's own description.
import { startTestGateway } from "../support/gateway.ts";
import { operationsOf } from "./operations.ts";
import { rulesTable, writeTable } from "./table.ts";

const gateway = await startTestGateway();
const table = rulesTable(await operationsOf(gateway));
await gateway.close();
writeTable(table);
process.stdout.write(`${table}\n`);
