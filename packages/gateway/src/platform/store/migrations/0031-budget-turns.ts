import { type Kysely, PostgresAdapter, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Shares of budgets by call and owner, because a call may stand under several budgets, and on PostgreSQL the function
 * that counts them for all replicas.
 */
export const budgetTurns: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable("budget_holds").renameTo("budget_holds_before").execute();
    await db.schema.dropIndex("budget_holds_key").execute();
    await db.schema
      .createTable("budget_holds")
      .addColumn("id", "text", (column) => column.notNull())
      .addColumn("owner", "text", (column) => column.notNull())
      .addColumn("budget_window", "text", (column) => column.notNull())
      .addColumn("window_start", "bigint")
      .addColumn("window_end", "bigint")
      .addColumn("amount", "double precision", (column) => column.notNull())
      .addColumn("is_settled", "integer", (column) => column.notNull())
      .addColumn("request_id", "text")
      .addColumn("call_type", "text")
      .addColumn("alive_until", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("budget_holds_id_owner", ["id", "owner"])
      .execute();
    await db.schema
      .createIndex("budget_holds_by_budget")
      .on("budget_holds")
      .columns(["owner", "budget_window"])
      .execute();
    await db.schema
      .createIndex("budget_holds_by_request")
      .on("budget_holds")
      .column("request_id")
      .where(sql.ref("request_id"), "is not", null)
      .execute();
    await sql`
      insert into budget_holds (id, owner, budget_window, window_start, window_end, amount, is_settled, request_id,
        call_type, alive_until)
      select id, key_hash, budget_window, window_start, window_end, amount, 0, request_id, call_type, alive_until
      from budget_holds_before`.execute(db);
    await db.schema.dropTable("budget_holds_before").execute();
    if (db.getExecutor().adapter instanceof PostgresAdapter) await sql.raw(BUDGET_TURN).execute(db);
  },
};

/**
 * One turn of one process: ends calls, shows that others go on, and lets calls take their shares, one after the other,
 * each all or nothing.
 *
 * - `ended`, `costs`: calls that are over. Their shares become what they cost, until the spend log has their rows; without
 *   a cost they go. A row that is being deleted with its spend row is let alone.
 * - `alive`: calls that go on.
 * - `owners`, `windows`, `starts`, `ends`: the budgets that are asked for, in an order that all processes have, so
 *   that no two wait for each other.
 * - `ids`, `fits`, `firsts`: calls that want shares, whether these must fit, and where among the parts they begin.
 * - `scopes`, `limits`, `amounts`: the parts: which of the budgets, what it has, what the call takes of it.
 *
 * Returns for each call the part that refused it, counted from 1, or 0, and how the budget of that part stands.
 *
 * Every statement in a function sees what was committed before it began, and what holds a budget is read in the same
 * one as what is spent, because the writer of the spend log moves one into the other. The locks come before it.
 * A crash of the server may forget what was taken in its last moments (synchronous_commit): processes show it again.
 */
const BUDGET_TURN = `
create function budget_turn(
  ended text[], costs double precision[], alive text[], lease bigint, kept bigint,
  owners text[], windows text[], starts bigint[], ends bigint[],
  ids text[], fits boolean[], firsts integer[],
  scopes integer[], limits double precision[], amounts double precision[]
) returns table (refused integer, spent double precision, held double precision)
language plpgsql as $$
#variable_conflict use_column
declare
  now_ms bigint := floor(extract(epoch from clock_timestamp()) * 1000);
  spents double precision[];
  helds double precision[];
  takers integer[] := '{}';
  parts integer := cardinality(scopes);
  last integer;
  stop integer;
  at integer;
begin
  perform set_config('synchronous_commit', 'off', true);
  if cardinality(ended) > 0 then
    with over as (
      select * from unnest(ended, costs) as list (id, cost)
    ), locked as (
      select hold.id, hold.owner, over.cost from budget_holds hold join over on over.id = hold.id
      where hold.request_id is null for update of hold skip locked
    ), gone as (
      delete from budget_holds hold using locked
      where hold.id = locked.id and hold.owner = locked.owner and locked.cost is null
    )
    update budget_holds hold set amount = locked.cost, is_settled = 1, alive_until = now_ms + kept
    from locked where hold.id = locked.id and hold.owner = locked.owner and locked.cost is not null;
  end if;
  if cardinality(alive) > 0 then
    with locked as (
      select id, owner from budget_holds
      where id = any (alive) and request_id is null and is_settled = 0 for update skip locked
    )
    update budget_holds hold set alive_until = now_ms + lease
    from locked where hold.id = locked.id and hold.owner = locked.owner;
  end if;
  if cardinality(ids) = 0 then return; end if;

  for i in 1 .. cardinality(owners) loop
    perform pg_advisory_xact_lock(hashtextextended('budget ' || owners[i] || ' ' || windows[i], 0));
  end loop;
  now_ms := floor(extract(epoch from clock_timestamp()) * 1000);
  select array_agg(sums.settled + coalesce(sums.logged, 0) order by n), array_agg(sums.running order by n)
  into spents, helds
  from (
    select wanted.n,
      coalesce(sum(hold.amount) filter (where hold.is_settled = 1), 0) as settled,
      coalesce(sum(hold.amount) filter (where hold.is_settled = 0), 0) as running,
      case when wanted.started is null
        then (select spend from key_spend where key_hash = wanted.owner)
        else (select spend from budget_windows where key_hash = wanted.owner and window_start = wanted.started)
      end as logged
    from unnest(owners, windows, starts) with ordinality as wanted (owner, name, started, n)
    left join budget_holds hold
      on hold.owner = wanted.owner and hold.budget_window = wanted.name and hold.alive_until > now_ms
    group by wanted.n, wanted.owner, wanted.started
  ) sums;

  for i in 1 .. cardinality(ids) loop
    last := case when i = cardinality(ids) then parts else firsts[i + 1] - 1 end;
    stop := 0;
    for j in firsts[i] .. last loop
      at := scopes[j];
      if spents[at] + helds[at] + amounts[j] > limits[j]
        and (fits[i] or (helds[at] > 0 and amounts[j] > 0) or spents[at] >= limits[j])
      then
        stop := j;
        exit;
      end if;
    end loop;
    if stop = 0 then
      takers := takers || i;
      for j in firsts[i] .. last loop
        at := scopes[j];
        helds[at] := helds[at] + amounts[j];
      end loop;
      refused := 0; spent := 0; held := 0;
    else
      refused := stop - firsts[i] + 1; spent := spents[scopes[stop]]; held := helds[scopes[stop]];
    end if;
    return next;
  end loop;

  insert into budget_holds (id, owner, budget_window, window_start, window_end, amount, is_settled, alive_until)
  select ids[taker.i], owners[scopes[part.j]], windows[scopes[part.j]], starts[scopes[part.j]], ends[scopes[part.j]],
    amounts[part.j], 0, now_ms + lease
  from unnest(takers) as taker (i),
    generate_series(firsts[taker.i],
      case when taker.i = cardinality(ids) then parts else firsts[taker.i + 1] - 1 end) as part (j)
  where amounts[part.j] > 0;
end $$`;
