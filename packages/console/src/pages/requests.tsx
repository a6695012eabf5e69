import { Button, Group, Select, SimpleGrid, Switch, Text } from "@mantine/core";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useSearchParams } from "react-router";
import { ask, send } from "../api/client.ts";
import type { SpendRow } from "../api/types.ts";
import { DataTable } from "../ui/data-table.tsx";
import { FilterInput } from "../ui/filter-input.tsx";
import { count, dollars, duration, moment } from "../ui/format.ts";
import { LIVE_EVERY } from "../ui/live.ts";
import { Page } from "../ui/page.tsx";
import { readCsv } from "../ui/read-csv.ts";
import { save } from "../ui/save.ts";
import { SidePanel } from "../ui/side-panel.tsx";
import { Status } from "../ui/status.tsx";
import { Refusal } from "../ui/use-action.tsx";
import { DetailsButton, RequestWay } from "./request-way.tsx";

const PAGE = 50;
/** Rows in one export: the gateway ends there. */
const EXPORT = 1_000_000;

const FILTERS = {
  search: "Search",
  request_id: "Request id",
  model: "Model",
  api_key: "Key or its hash",
  user_id: "User",
  team_id: "Team",
  session_id: "Session",
} as const;

/** The spend log: a row a request, newest first. */
export function RequestsPage(): ReactNode {
  const [search, setSearch] = useSearchParams();
  const filters = Object.fromEntries(search);
  const { days = "", page = "1", live = "", ...words } = filters;
  const where = { ...words, start_date: startOf(days) };
  const query = useQuery({
    queryKey: ["requests", filters],
    queryFn: () =>
      ask<{ data: SpendRow[]; has_more: boolean }>("spend/logs", {
        query: { ...where, page, page_size: PAGE },
      }),
    placeholderData: keepPreviousData,
    refetchInterval: live === "" ? false : LIVE_EVERY,
  });
  const [shown, show] = useState<SpendRow>();
  const set = (name: string, value: string): void =>
    setSearch((before) => {
      const next = new URLSearchParams(before);
      if (name !== "page") next.delete("page");
      if (value === "") next.delete(name);
      else next.set(name, value);
      return next;
    });
  const [told, tell] = useState(0);
  const exporting = useMutation({
    mutationFn: async () => {
      tell(0);
      const answer = await send("spend/logs", { query: { ...where, format: "csv" } });
      const { content, rows } = await readCsv(answer, tell);
      save("requests.csv", content);
      return rows;
    },
  });
  return (
    <Page
      title="Requests"
      actions={
        <>
          <Switch
            label="Live"
            checked={live !== ""}
            onChange={(event) => set("live", event.currentTarget.checked ? "yes" : "")}
          />
          <Button variant="default" loading={exporting.isPending} onClick={() => exporting.mutate()}>
            Export as CSV
          </Button>
        </>
      }
    >
      <Refusal error={exporting.error} />
      <Text size="sm" role="status" aria-label="Export">
        {exporting.isPending && `${count(told)} rows read`}
        {exporting.isSuccess &&
          (exporting.data < EXPORT
            ? `Exported all ${count(exporting.data)} rows that match.`
            : `Exported the newest ${count(EXPORT)} rows; more may match. Narrow the filters for the others.`)}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3, lg: 4 }}>
        <Select
          label="Time"
          value={days}
          allowDeselect={false}
          onChange={(value) => set("days", value ?? "")}
          data={[
            { value: "", label: "All" },
            { value: "1", label: "Last day" },
            { value: "7", label: "Last 7 days" },
            { value: "30", label: "Last 30 days" },
          ]}
        />
        {Object.entries(FILTERS).map(([name, label]) => (
          <FilterInput
            key={name}
            label={label}
            value={search.get(name) ?? ""}
            onChange={(value) => set(name, value)}
          />
        ))}
      </SimpleGrid>
      <DataTable
        label="Requests, newest first"
        query={query}
        rows={query.data?.data}
        idOf={(row) => row.request_id + row.startTime + (row.model_id ?? "")}
        empty="No request matches."
        columns={[
          { title: "Time", cell: ({ startTime }) => moment(startTime) },
          { title: "Model", cell: ({ model }) => model },
          { title: "Call", cell: ({ call_type }) => call_type },
          { title: "Status", cell: ({ status }) => <Status status={status} /> },
          { title: "Took", cell: ({ startTime, endTime }) => duration(startTime, endTime), right: true },
          { title: "Tokens in", cell: ({ prompt_tokens }) => count(prompt_tokens), right: true },
          { title: "Tokens out", cell: ({ completion_tokens }) => count(completion_tokens), right: true },
          { title: "Spend", cell: ({ spend }) => dollars(spend), right: true },
          {
            title: "Details",
            cell: (row) => <DetailsButton row={row} onShow={show} />,
          },
        ]}
      />
      <Group justify="flex-end">
        <Button
          variant="default"
          disabled={Number(page) <= 1}
          onClick={() => set("page", String(Number(page) - 1))}
        >
          Newer
        </Button>
        <Button
          variant="default"
          disabled={query.data?.has_more !== true}
          onClick={() => set("page", String(Number(page) + 1))}
        >
          Older
        </Button>
      </Group>
      <SidePanel shown={shown} title={() => "One request"} onClose={() => show(undefined)}>
        {(row) => <RequestWay row={row} />}
      </SidePanel>
    </Page>
  );
}

function startOf(days: string): string | undefined {
  return days === "" ? undefined : new Date(Date.now() - Number(days) * 86_400_000).toISOString();
}
