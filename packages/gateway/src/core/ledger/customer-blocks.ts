import { sql } from "kysely";
import type { Store } from "../../platform/store/schema.ts";
import { nameOfColumns, SUM_NAMES } from "../../platform/store/spend-sums-sql.ts";

/** Whose a row of the log is, without its customer. */
const OWNERS = ["key_hash", "user_id", "team_id", "organization_id"] as const;

const owners = sql.join(OWNERS.map((name) => sql.ref(name)));
const columns = sql.join(SUM_NAMES.map((name) => sql.ref(name)));
const sums = sql.join(SUM_NAMES.map((name) => sql`sum(${sql.ref(name)})`));

/**
 * Adds up some days by owner and customer; longer blocks from those of their days, which are there. Rows of an owner lie
 * together, so that few pages have them.
 */
export async function addCustomerBlock(
  { kind, db }: Pick<Store, "kind" | "db">,
  start: number,
  days: number,
): Promise<void> {
  await sql`delete from spend_customer_blocks where days = ${days} and start_day = ${start}`.execute(db);
  const block = sql`cast(${days} as integer), cast(${start} as integer)`;
  const insert = sql`insert into spend_customer_blocks (days, start_day, owner_id, end_user, ${columns})
    select ${block}, owner_id, end_user, ${sums}`;
  if (days > 1) {
    await sql`${insert} from spend_customer_blocks
      where days = 1 and start_day >= ${start} and start_day < ${start + days}
      group by owner_id, end_user order by owner_id, end_user`.execute(db);
    return;
  }
  const name = sql.raw(nameOfColumns(kind === "postgres", OWNERS));
  const entries = sql`(
    select ${name} as name, ${owners}, end_user, ${columns}
    from spend_days join spend_groups as entry on group_id = entry.id where day = ${start}
  ) as entries`;
  await sql`insert into spend_owners (name, ${owners})
    select distinct name, ${owners} from ${entries}
    where not exists (select 1 from spend_owners as known where known.name = entries.name)`.execute(db);
  await sql`${insert} from (
      select spend_owners.id as owner_id, end_user, ${columns}
      from ${entries} join spend_owners on spend_owners.name = entries.name
    ) as owned group by owner_id, end_user order by owner_id, end_user`.execute(db);
}
