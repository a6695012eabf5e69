import { Button, Code, Stack, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useSearchParams } from "react-router";
import { ask } from "../api/client.ts";
import type { AuditPage as AuditAnswer, AuditEntry } from "../api/types.ts";
import { DataTable, Pager } from "../ui/data-table.tsx";
import { moment } from "../ui/format.ts";
import { IdCell } from "../ui/id-cell.tsx";
import { Page } from "../ui/page.tsx";
import { SidePanel } from "../ui/side-panel.tsx";

/** Who changed what, newest first. */
export function AuditPage(): ReactNode {
  const [search, setSearch] = useSearchParams();
  const page = Number(search.get("page") ?? "1");
  const query = useQuery({
    queryKey: ["audit", page],
    queryFn: () => ask<AuditAnswer>("audit", { query: { page, page_size: 25 } }),
    placeholderData: keepPreviousData,
  });
  const [shown, show] = useState<AuditEntry>();
  return (
    <Page title="Audit log">
      <DataTable
        label="Changes, newest first"
        query={query}
        rows={query.data?.audit_logs}
        idOf={({ id }) => id}
        empty="Nothing was changed yet."
        columns={[
          { title: "Time", cell: ({ updated_at }) => moment(updated_at) },
          { title: "Who", cell: ({ changed_by }) => changed_by ?? "–" },
          { title: "From", cell: ({ address }) => address ?? "–" },
          { title: "Did", cell: ({ action }) => action },
          { title: "What", cell: ({ table_name }) => table_name.replace("LiteLLM_", "") },
          {
            title: "Which",
            cell: ({ object_id }) => <IdCell id={object_id} width={220} />,
          },
          {
            title: "Details",
            cell: (entry) => (
              <Button
                size="compact-xs"
                variant="default"
                onClick={() => show(entry)}
                aria-label={`Show the change at ${moment(entry.updated_at)}`}
              >
                Show
              </Button>
            ),
          },
        ]}
      />
      <Pager
        page={page}
        pages={query.data?.total_pages ?? 1}
        onChange={(next) => setSearch({ page: String(next) })}
      />
      <SidePanel shown={shown} title={() => "One change"} onClose={() => show(undefined)}>
        {({ before_value, updated_values }) => (
          <Stack>
            <Text>Before</Text>
            <Code block tabIndex={0}>
              {JSON.stringify(before_value, undefined, 2)}
            </Code>
            <Text>After</Text>
            <Code block tabIndex={0}>
              {JSON.stringify(updated_values, undefined, 2)}
            </Code>
          </Stack>
        )}
      </SidePanel>
    </Page>
  );
}
