import { Button, List, Stack, Table, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { SpendRow } from "../api/types.ts";
import { dollars, duration, moment, seconds } from "../ui/format.ts";
import { counted, ToolNames } from "../ui/tool-names.tsx";

/** The way of one request: tries, moments, cost, what it said of itself; below, each field of its row. */
export function RequestWay({ row }: { readonly row: SpendRow }): ReactNode {
  const { tools, metadata, failed_tries: tries, ...fields } = row;
  return (
    <Stack>
      <Part title="Way">
        <List size="sm" type="ordered">
          <List.Item>Came {moment(row.startTime)}</List.Item>
          {tries.map(({ model_id, ms, status }, at) => (
            // Tries keep their places.
            // biome-ignore lint/suspicious/noArrayIndexKey: a deployment may be tried twice
            <List.Item key={at} style={{ overflowWrap: "anywhere" }}>
              {model_id} failed with status {status} after {seconds(ms / 1000)}
            </List.Item>
          ))}
          {row.cache_hit && <List.Item>Answered as an earlier call was</List.Item>}
          {row.completionStartTime !== null && (
            <List.Item>
              {row.model_id} began to answer after {duration(row.startTime, row.completionStartTime)}
            </List.Item>
          )}
          <List.Item style={{ overflowWrap: "anywhere" }}>
            {row.status === "success"
              ? `Answered by ${row.model_id ?? "the gateway"}`
              : `Ended: ${row.status}`}{" "}
            after {duration(row.startTime, row.endTime)}, for {dollars(row.spend)}
          </List.Item>
        </List>
      </Part>
      {tools.length > 0 && (
        <Part title="Tools that ran before it">
          <ToolNames tools={counted(tools)} />
        </Part>
      )}
      {Object.keys(metadata).length > 0 && (
        <Part title="Metadata">
          <Fields label="Metadata of the request" fields={metadata} />
        </Part>
      )}
      <Part title="Fields">
        <Fields label="Fields of the request" fields={fields} />
      </Part>
    </Stack>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <section aria-label={title}>
      <Title order={2} size="h4" mb="xs">
        {title}
      </Title>
      {children}
    </section>
  );
}

function Fields({ label, fields }: { readonly label: string; readonly fields: object }): ReactNode {
  return (
    <Table aria-label={label} layout="fixed">
      <Table.Tbody>
        {Object.entries(fields).map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" style={{ overflowWrap: "anywhere" }}>
              {name}
            </Table.Th>
            <Table.Td style={{ overflowWrap: "anywhere" }}>{value === null ? "–" : String(value)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

interface DetailsButtonProps {
  readonly row: SpendRow;
  readonly onShow: (row: SpendRow) => void;
}

/** Shows a request's way, from the row of a table. */
export function DetailsButton({ row, onShow }: DetailsButtonProps): ReactNode {
  return (
    <Button
      size="compact-xs"
      variant="default"
      onClick={() => onShow(row)}
      aria-label={`Show the details of ${row.request_id}`}
    >
      Show
    </Button>
  );
}
