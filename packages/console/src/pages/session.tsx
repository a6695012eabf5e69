import { Button, Card, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { ask } from "../api/client.ts";
import type { SpendRow } from "../api/types.ts";
import { DataTable } from "../ui/data-table.tsx";
import { Figures } from "../ui/figures.tsx";
import { compact, count, dollars, duration, moment, share } from "../ui/format.ts";
import { IdCell } from "../ui/id-cell.tsx";
import { LIVE_EVERY } from "../ui/live.ts";
import { Page } from "../ui/page.tsx";
import { SidePanel } from "../ui/side-panel.tsx";
import { Status } from "../ui/status.tsx";
import { counted, ToolNames } from "../ui/tool-names.tsx";
import { DetailsButton, RequestWay } from "./request-way.tsx";

/** Turns that are shown. */
const TURNS = 1000;

interface SessionPageProps {
  readonly id: string;
  /** Other keys may have sessions of the same name. */
  readonly keyHash: string | undefined;
}

/** One session of an agent's: its turns in their order, what ran before each, and what all of it cost. */
export function SessionPage({ id, keyHash }: SessionPageProps): ReactNode {
  const query = useQuery({
    queryKey: ["session", id, keyHash],
    queryFn: () =>
      ask<{ data: SpendRow[]; has_more: boolean }>("spend/logs", {
        query: { session_id: id, api_key: keyHash, page_size: TURNS },
      }),
    refetchInterval: LIVE_EVERY,
  });
  const [shown, show] = useState<SpendRow>();
  const rows = query.data?.data.toReversed();
  return (
    <Page
      title="Session"
      actions={
        <Button variant="default" component={Link} to="/sessions">
          All sessions
        </Button>
      }
    >
      <IdCell id={id} width={600} />
      {rows !== undefined && rows.length > 0 && <Sums rows={rows} />}
      {query.data?.has_more === true && <Text size="sm">These are its newest {count(TURNS)} requests.</Text>}
      <DataTable
        label="Turns, in their order"
        query={query}
        rows={rows}
        idOf={(row) => row.request_id + row.startTime + (row.model_id ?? "")}
        empty="The spend log has no such session."
        columns={[
          { title: "Time", cell: ({ startTime }) => moment(startTime) },
          { title: "Model", cell: ({ model }) => model },
          { title: "Tools before it", cell: ({ tools }) => <ToolNames tools={counted(tools)} /> },
          { title: "Status", cell: ({ status }) => <Status status={status} /> },
          { title: "Took", cell: ({ startTime, endTime }) => duration(startTime, endTime), right: true },
          {
            title: "Tokens in",
            cell: (row) =>
              `${compact(row.prompt_tokens)}, ${share(row.cache_read_input_tokens, row.prompt_tokens)} cached`,
            right: true,
          },
          { title: "Tokens out", cell: (row) => compact(row.completion_tokens), right: true },
          { title: "Cost", cell: ({ spend }) => dollars(spend), right: true },
          {
            title: "Details",
            cell: (row) => <DetailsButton row={row} onShow={show} />,
          },
        ]}
      />
      <SidePanel shown={shown} title={() => "One request"} onClose={() => show(undefined)}>
        {(row) => <RequestWay row={row} />}
      </SidePanel>
    </Page>
  );
}

function Sums({ rows }: { readonly rows: readonly SpendRow[] }): ReactNode {
  const sum = (figure: (row: SpendRow) => number): number => rows.reduce((all, row) => all + figure(row), 0);
  const read = sum((row) => row.prompt_tokens);
  const figures = {
    Turns: count(rows.filter(({ status }) => status !== "left").length),
    Cost: dollars(sum(({ spend }) => spend)),
    "Tokens read": compact(read),
    "Read from caches": share(
      sum((row) => row.cache_read_input_tokens),
      read,
    ),
    "Tokens written": compact(sum((row) => row.completion_tokens)),
  };
  return (
    <Figures figures={figures} columns={6}>
      <Card withBorder padding="sm">
        <Text size="sm" mb={4}>
          Tools
        </Text>
        <ToolNames tools={counted(rows.flatMap(({ tools }) => tools))} />
      </Card>
    </Figures>
  );
}
