import { SegmentedControl, SimpleGrid, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import { useSearchParams } from "react-router";
import { ask } from "../api/client.ts";
import type { Overview, Totals } from "../api/types.ts";
import { DataTable } from "../ui/data-table.tsx";
import { Figures } from "../ui/figures.tsx";
import { compact, count, dollars, seconds, share } from "../ui/format.ts";
import { LIVE_EVERY } from "../ui/live.ts";
import { Page } from "../ui/page.tsx";
import { Plot } from "../ui/plot.tsx";

const SPANS = { "1": "Hour", "24": "Day", "168": "Week", "720": "30 days" } as const;

/** What runs, what it costs and what fails, over a stretch of time up to now. */
export function OverviewPage(): ReactNode {
  const [search, setSearch] = useSearchParams({ hours: "24" });
  const hours = search.get("hours") ?? "24";
  const query = useQuery({
    queryKey: ["overview", hours],
    queryFn: () => ask<Overview>("ui/overview", { query: { hours } }),
    refetchInterval: LIVE_EVERY,
  });
  const overview = query.data;
  return (
    <Page
      title="Overview"
      actions={
        <SegmentedControl
          aria-label="Time"
          value={hours}
          onChange={(value) => setSearch({ hours: value })}
          data={Object.entries(SPANS).map(([value, label]) => ({ value, label }))}
        />
      }
    >
      {overview !== undefined && <Sums totals={overview.totals} />}
      {overview !== undefined && <Plots overview={overview} />}
      <Title order={2} size="h4">
        Models
      </Title>
      <DataTable
        label="Models by spend"
        query={query}
        rows={overview?.models}
        idOf={({ model }) => model}
        empty="No request came in this time. The playground sends one."
        columns={[
          { title: "Model", cell: ({ model }) => model },
          { title: "Requests", cell: ({ requests }) => count(requests), right: true },
          { title: "Failed", cell: ({ failures, requests }) => share(failures, requests), right: true },
          { title: "Time on average", cell: ({ average_seconds }) => seconds(average_seconds), right: true },
          { title: "Tokens", cell: (row) => compact(row.prompt_tokens + row.completion_tokens), right: true },
          { title: "Spend", cell: ({ spend }) => dollars(spend), right: true },
        ]}
      />
    </Page>
  );
}

function Sums({ totals }: { readonly totals: Totals }): ReactNode {
  const figures = {
    Requests: count(totals.requests),
    Failed: `${count(totals.failures)} (${share(totals.failures, totals.requests)})`,
    Spend: dollars(totals.spend),
    "Tokens read": compact(totals.prompt_tokens),
    "Read from caches": share(totals.cache_read_tokens, totals.prompt_tokens),
    "Tokens written": compact(totals.completion_tokens),
    "Time to first token": totals.streams === 0 ? "–" : seconds(firstToken(totals.first_ms, totals.streams)),
  };
  return <Figures figures={figures} columns={7} />;
}

/** Each figure over time, with one point for each step, also where nothing happened. */
function Plots({ overview }: { readonly overview: Overview }): ReactNode {
  const steps = useMemo(() => stepsOf(overview), [overview]);
  const streams = steps.values("streams");
  const waits = steps.values("first_ms").map((all, at) => firstToken(all, streams[at]!));
  const plot = (title: string, name: keyof Totals, write: (value: number) => string): ReactNode => (
    <Plot
      title={title}
      times={steps.times}
      values={steps.values(name)}
      write={write}
      isWhole={name !== "spend"}
    />
  );
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      {plot("Requests", "requests", count)}
      {plot("Failed requests", "failures", count)}
      {plot("Spend", "spend", dollars)}
      {plot("Tokens read", "prompt_tokens", compact)}
      {plot("Tokens read from caches", "cache_read_tokens", compact)}
      {plot("Tokens written", "completion_tokens", compact)}
      <Plot
        title="Time to first token, on average"
        times={steps.times}
        values={waits}
        write={seconds}
        sums={false}
      />
    </SimpleGrid>
  );
}

/** Seconds on average. */
function firstToken(milliseconds: number, streams: number): number {
  return streams === 0 ? 0 : milliseconds / streams / 1000;
}

function stepsOf({ start, end, step, series }: Overview): {
  times: number[];
  values: (name: keyof Totals) => number[];
} {
  const totals = new Map(series.map((each) => [Date.parse(each.time) / 1000, each]));
  const times: number[] = [];
  for (let time = Date.parse(start) / 1000; time < Date.parse(end) / 1000; time += step) times.push(time);
  return { times, values: (name) => times.map((time) => totals.get(time)?.[name] ?? 0) };
}
