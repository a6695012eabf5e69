import { Badge, Button, Group, Progress, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { send } from "../api/client.ts";
import type { Batch } from "../api/types.ts";
import { Confirm } from "../ui/confirm.tsx";
import { DataTable } from "../ui/data-table.tsx";
import { count, moment } from "../ui/format.ts";
import { IdCell } from "../ui/id-cell.tsx";
import { MoreButton, usePages } from "../ui/more.tsx";
import { Page } from "../ui/page.tsx";
import { SaveButton } from "../ui/save-button.tsx";
import { Refusal, useAction } from "../ui/use-action.tsx";

const RUNNING = ["validating", "in_progress", "finalizing", "cancelling"];
const COLORS: Readonly<Record<string, string>> = { completed: "green", failed: "red", expired: "red" };

/** The caller's batches, newest first: how far each is, what is wrong with it, and its files. */
export function BatchesPage(): ReactNode {
  const list = usePages<Batch>("batches", "v1/batches", ({ status }) => RUNNING.includes(status));
  const [doomed, setDoomed] = useState<Batch>();
  const cancel = useAction(
    "batches",
    ({ id }: Batch) => send(`v1/batches/${encodeURIComponent(id)}/cancel`, { method: "POST" }),
    () => setDoomed(undefined),
  );
  return (
    <Page title="Batches">
      <DataTable
        label="Batches, newest first"
        query={list.query}
        rows={list.rows}
        idOf={({ id }) => id}
        empty="There is no batch. POST /v1/batches makes one."
        columns={[
          { title: "Created", cell: ({ created_at }) => moment(created_at * 1000) },
          {
            title: "Batch",
            cell: ({ id }) => <IdCell id={id} />,
          },
          { title: "Model", cell: ({ model }) => model ?? "–" },
          { title: "Endpoint", cell: ({ endpoint }) => endpoint },
          { title: "State", cell: (batch) => <State batch={batch} /> },
          { title: "Requests", cell: (batch) => <Rows batch={batch} /> },
          { title: "Files", cell: (batch) => <Files batch={batch} /> },
          {
            title: "Change",
            cell: (batch) =>
              RUNNING.slice(0, 3).includes(batch.status) && (
                <Button
                  size="compact-xs"
                  variant="default"
                  onClick={() => setDoomed(batch)}
                  aria-label={`Cancel ${batch.id}`}
                >
                  Cancel
                </Button>
              ),
          },
        ]}
      />
      <MoreButton list={list} />
      <Confirm
        question={doomed && `No further request of ${doomed.id} begins. What has run stays and is paid for.`}
        action="Cancel the batch"
        isPending={cancel.isPending}
        onConfirm={() => doomed && cancel.mutate(doomed)}
        onClose={() => {
          cancel.reset();
          setDoomed(undefined);
        }}
      >
        <Refusal error={cancel.error} />
      </Confirm>
    </Page>
  );
}

function State({ batch: { status, errors } }: { readonly batch: Batch }): ReactNode {
  return (
    <Stack gap={2}>
      <Badge variant="dot" color={COLORS[status] ?? "blue"}>
        {status.replaceAll("_", " ")}
      </Badge>
      {errors?.data?.map(({ message, line }) => (
        <Text key={`${line}${message}`} size="xs" c="red" maw={260}>
          {message}
        </Text>
      ))}
    </Stack>
  );
}

function Rows({ batch: { id, request_counts: counts } }: { readonly batch: Batch }): ReactNode {
  const { total = 0, completed = 0, failed = 0 } = counts ?? {};
  if (total === 0) return "–";
  return (
    <Stack gap={2} miw={140}>
      <Progress.Root>
        <Progress.Section value={(100 * completed) / total} color="green" aria-label={`Completed of ${id}`} />
        <Progress.Section value={(100 * failed) / total} color="red" aria-label={`Failed of ${id}`} />
      </Progress.Root>
      <Text size="xs">
        {count(completed + failed)} of {count(total)}
        {failed > 0 && `, ${count(failed)} failed`}
      </Text>
    </Stack>
  );
}

function Files({ batch }: { readonly batch: Batch }): ReactNode {
  const files = { results: batch.output_file_id, errors: batch.error_file_id, input: batch.input_file_id };
  return (
    <Group gap={4} wrap="nowrap" align="start">
      {Object.entries(files).map(
        ([name, id]) =>
          id && (
            <SaveButton
              key={name}
              path={`v1/files/${encodeURIComponent(id)}/content`}
              file={`${id}.jsonl`}
              label={`Save ${name} of ${id}`}
            >
              {name}
            </SaveButton>
          ),
      )}
    </Group>
  );
}
