import { checkQuery } from "../../contract/check.ts";
import type { Exchange, Reply } from "../../contract/exchange.ts";
import type { KeyManagement } from "../../core/auth/management/key-management.ts";
import { seesEverything } from "../../core/auth/permissions.ts";
import type { Store } from "../../platform/store/schema.ts";
import { overviewSums, type Stretch, type Totals } from "./overview-store.ts";
import { overviewQuery } from "./schema.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Steps of at most so many hours, so that a plot has some dozens of points. */
const STEPS = [
  { hours: 1, step: MINUTE },
  { hours: 6, step: 5 * MINUTE },
  { hours: 48, step: 30 * MINUTE },
  { hours: 168, step: 3 * HOUR },
  { hours: Number.POSITIVE_INFINITY, step: 12 * HOUR },
] as const;

const MODELS = 50;

/** What runs, what it costs and what fails; keys that do not administer see their own requests. */
export async function overview(
  { principal, query }: Exchange,
  store: Store,
  keys: KeyManagement,
): Promise<Reply> {
  const { hours = 24 } = checkQuery(overviewQuery, query);
  const { step } = STEPS.find((each) => hours <= each.hours)!;
  // Whole steps, so that the first one is not cut off.
  const end = (Math.floor(Date.now() / step) + 1) * step;
  const seesAll = seesEverything(principal);
  const stretch: Stretch = {
    start: end - Math.ceil((hours * HOUR) / step) * step,
    end,
    ...(seesAll ? {} : { keyHash: principal.keyHash }),
  };
  await keys.ledger.flush();
  const { series, models } = await overviewSums(store, stretch, { step, limit: MODELS });
  return {
    status: 200,
    body: {
      start: new Date(stretch.start).toISOString(),
      end: new Date(end).toISOString(),
      step: step / 1000,
      totals: series.reduce(added, NOTHING),
      series: series.map(({ time, ...totals }) => ({ time: new Date(time).toISOString(), ...totals })),
      models,
    },
  };
}

const NOTHING: Totals = {
  requests: 0,
  failures: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  cache_read_tokens: 0,
  spend: 0,
  streams: 0,
  first_ms: 0,
};

function added(one: Totals, other: Totals): Totals {
  return {
    requests: one.requests + other.requests,
    failures: one.failures + other.failures,
    prompt_tokens: one.prompt_tokens + other.prompt_tokens,
    completion_tokens: one.completion_tokens + other.completion_tokens,
    cache_read_tokens: one.cache_read_tokens + other.cache_read_tokens,
    spend: one.spend + other.spend,
    streams: one.streams + other.streams,
    first_ms: one.first_ms + other.first_ms,
  };
}
