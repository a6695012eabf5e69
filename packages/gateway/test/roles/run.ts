// Writes the matrix of routes and roles into docs/gateway/roles.md: `npm run roles -w portico`.
import { everyOperation } from "../rules/everything.ts";
import { rolesMatrix, writeMatrix } from "./table.ts";

writeMatrix(rolesMatrix(await everyOperation()));
