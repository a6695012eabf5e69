import { budget, models, region, tenant } from "./access.ts";
import type { Column } from "./column.ts";
import { customer, fields } from "./everybody.ts";
import { freeze } from "./freeze.ts";
import { guard } from "./guard.ts";
import { hooks } from "./hooks.ts";
import { ids } from "./ids.ts";
import { timeouts } from "./timeouts.ts";

/** The rules, in the order of the page. */
export const columns: readonly Column[] = [
  ids,
  tenant,
  region,
  models,
  budget,
  customer,
  fields,
  hooks,
  guard,
  timeouts,
  freeze,
];
