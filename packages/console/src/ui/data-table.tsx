import { Alert, Group, Loader, Pagination, ScrollArea, Table, Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";

/** A column: what stands in its head and, for each row, below. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** For numbers. */
  readonly right?: boolean;
}

interface DataTableProps<Row> {
  /** What the table shows, for those who cannot see it. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[] | undefined;
  readonly idOf: (row: Row) => string;
  readonly query: Pick<UseQueryResult, "error" | "isPending">;
  readonly empty: string;
}

/** Rows below each other, or why there are none. */
export function DataTable<Row>({ label, columns, rows, idOf, query, empty }: DataTableProps<Row>): ReactNode {
  if (query.error !== null)
    return (
      <Alert color="red" title="This could not be read" role="alert">
        {query.error.message}
      </Alert>
    );
  if (query.isPending || rows === undefined) return <Loader aria-label="Reading" role="status" />;
  if (rows.length === 0)
    return (
      <Text c="dimmed" py="lg">
        {empty}
      </Text>
    );
  return (
    <ScrollArea type="auto" viewportProps={{ tabIndex: 0, role: "region", "aria-label": label }}>
      <Table striped highlightOnHover verticalSpacing="xs" aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ title, right }) => (
              <Table.Th key={title} scope="col" ta={right ? "right" : "left"}>
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={idOf(row)}>
              {columns.map(({ title, cell, right }) => (
                <Table.Td key={title} ta={right ? "right" : "left"}>
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
}

interface PagerProps {
  readonly page: number;
  readonly pages: number;
  readonly onChange: (page: number) => void;
}

/** The way to further pages; nothing when there is one. */
export function Pager({ page, pages, onChange }: PagerProps): ReactNode {
  if (pages <= 1) return null;
  return (
    <Group justify="flex-end" mt="md">
      <Pagination
        total={pages}
        value={page}
        onChange={onChange}
        getControlProps={(control) => ({ "aria-label": `${control} page` })}
        getItemProps={(item) => ({ "aria-label": `page ${item}` })}
      />
    </Group>
  );
}
