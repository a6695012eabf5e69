import { type Kysely, PostgresAdapter, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Since when budgets roll over, and on PostgreSQL turns of budgets to which something does; replicas of before go on with the other function. */
export const budgetRollover: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("budget_terms")
      .addColumn("owner", "text", (column) => column.primaryKey())
      .addColumn("windows", "text", (column) => column.notNull())
      .addColumn("budget", "double precision", (column) => column.notNull())
      .addColumn("budget_before", "double precision", (column) => column.notNull())
      .addColumn("before_until", "bigint", (column) => column.notNull())
      .execute();
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
 * - `befores`, `budgets`, `mosts`: for parts to which something rolls over: which of the budgets is the window before,
 *   what that had, and how much rolls over at most. By the clock of the database, which all replicas have in common,
 *   nothing rolls over before that window has ended, and nothing is taken of it any more once it has.
 *
 * Returns for each call the part that refused it, counted from 1, or 0, and how the budget of that part stands; for a
 * call whose window has ended -1 and, as `spent`, the time.
 *
 * Every statement in a function sees what was committed before it began, and what holds a budget is read in the same
 * one as what is spent, because the writer of the spend log moves one into the other. The locks come before it.
 * A crash of the server may forget what was taken in its last moments (synchronous_commit): processes show it again.
 */
const BUDGET_TURN = `
create function budget_turn_with_rollover(
  ended text[], costs double precision[], alive text[], lease bigint, kept bigint,
  owners text[], windows text[], starts bigint[], ends bigint[],
  ids text[], fits boolean[], firsts integer[],
  scopes integer[], limits double precision[], amounts double precision[],
  befores integer[], budgets double precision[], mosts double precision[]
) returns table (refused integer, budget double precision, spent double precision, held double precision)
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
  prior integer;
  room double precision;
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
      prior := befores[j];
      room := limits[j];
      if prior is not null then
        if ends[at] <= now_ms then
          stop := -1;
          exit;
        end if;
        if starts[at] <= now_ms then
          room := room + least(mosts[j], greatest(0, budgets[j] - spents[prior] - helds[prior]));
        end if;
      end if;
      if spents[at] + helds[at] + amounts[j] > room
        and (fits[i] or (helds[at] > 0 and amounts[j] > 0) or spents[at] >= room)
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
      refused := 0; budget := 0; spent := 0; held := 0;
    elsif stop = -1 then
      refused := -1; budget := 0; spent := now_ms; held := 0;
    else
      refused := stop - firsts[i] + 1; budget := room; spent := spents[scopes[stop]]; held := helds[scopes[stop]];
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
