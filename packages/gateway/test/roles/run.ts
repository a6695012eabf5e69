// Writes the matrix of routes and roles into docs/gateway/roles.md: `npm run roles -w portico`.
import { operationsOf } from "../rules/operations.ts";
import { startTestGateway } from "../support/gateway.ts";
import { rolesMatrix, writeMatrix } from "./table.ts";

const gateway = await startTestGateway();
writeMatrix(rolesMatrix(await operationsOf(gateway)));
await gateway.close();
