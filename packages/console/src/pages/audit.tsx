import { Button, Code, Select, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useSearchParams } from "react-router";
import { ask } from "../api/client.ts";
import type { AuditPage as AuditAnswer, AuditEntry } from "../api/types.ts";
import { DataTable, Pager } from "../ui/data-table.tsx";
import { FilterInput } from "../ui/filter-input.tsx";
import { moment } from "../ui/format.ts";
import { IdCell } from "../ui/id-cell.tsx";
import { Page } from "../ui/page.tsx";
import { SaveButton } from "../ui/save-button.tsx";
import { SidePanel } from "../ui/side-panel.tsx";

const ACTIONS = ["created", "updated", "deleted", "blocked", "unblocked", "rotated"];
/** Names of tables, which are LiteLLM's. */
const TABLES = [
  "LiteLLM_AccessGroupTable",
  "LiteLLM_BudgetTable",
  "LiteLLM_CredentialsTable",
  "LiteLLM_EndUserTable",
  "LiteLLM_OrganizationMembership",
  "LiteLLM_OrganizationTable",
  "LiteLLM_ProxyModelTable",
  "LiteLLM_TagTable",
  "LiteLLM_TeamMembership",
  "LiteLLM_TeamTable",
  "LiteLLM_UserTable",
  "LiteLLM_VerificationToken",
];

interface ChoiceProps {
  readonly label: string;
  readonly of: readonly string[];
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}

function Choice({ label, of, value, onChange }: ChoiceProps): ReactNode {
  const all = of.map((each) => ({ value: each, label: each.replace("LiteLLM_", "") }));
  return (
    <Select
      label={label}
      value={value ?? ""}
      allowDeselect={false}
      data={[{ value: "", label: "All" }, ...all]}
      onChange={(next) => onChange(next ?? "")}
    />
  );
}

/** Who changed what, newest first. */
export function AuditPage(): ReactNode {
  const [search, setSearch] = useSearchParams();
  const page = Number(search.get("page") ?? "1");
  const { page: _, ...where } = Object.fromEntries(search);
  const set = (name: string, value: string): void =>
    setSearch((before) => {
      const next = new URLSearchParams(before);
      next.delete("page");
      if (value === "") next.delete(name);
      else next.set(name, value);
      return next;
    });
  const query = useQuery({
    queryKey: ["audit", page, where],
    queryFn: () => ask<AuditAnswer>("audit", { query: { ...where, page, page_size: 25 } }),
    placeholderData: keepPreviousData,
  });
  const [shown, show] = useState<AuditEntry>();
  return (
    <Page
      title="Audit log"
      actions={
        <SaveButton
          path={`audit?${new URLSearchParams({ ...where, format: "csv" })}`}
          file="audit.csv"
          label="Export as CSV"
        >
          Export as CSV
        </SaveButton>
      }
    >
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
        <FilterInput
          label="Who"
          value={where.changed_by ?? ""}
          onChange={(value) => set("changed_by", value)}
        />
        <Choice label="Did" of={ACTIONS} value={where.action} onChange={(value) => set("action", value)} />
        <Choice
          label="What"
          of={TABLES}
          value={where.table_name}
          onChange={(value) => set("table_name", value)}
        />
        <FilterInput
          label="Which (its id)"
          value={where.object_id ?? ""}
          onChange={(value) => set("object_id", value)}
        />
        {(["start_date", "end_date"] as const).map((name) => (
          <TextInput
            key={name}
            type="date"
            label={name === "start_date" ? "From (UTC)" : "Until (UTC)"}
            value={where[name] ?? ""}
            onChange={(event) => set(name, event.currentTarget.value)}
          />
        ))}
      </SimpleGrid>
      <DataTable
        label="Changes, newest first"
        query={query}
        rows={query.data?.audit_logs}
        idOf={({ id }) => id}
        empty="No change matches."
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
        onChange={(next) => setSearch({ ...where, page: String(next) })}
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
