import { Button, Group } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ask } from "../api/client.ts";
import { LIVE_EVERY } from "./live.ts";

/** A list whose next page begins after the last id of the one before (OpenAI's `after` and `has_more`). */
export interface Pages<Row> {
  readonly rows: readonly Row[] | undefined;
  readonly query: { readonly error: Error | null; readonly isPending: boolean };
  readonly hasMore: boolean;
  readonly isReading: boolean;
  readonly more: () => void;
}

interface ListAnswer<Row> {
  readonly data: readonly Row[];
  readonly has_more?: boolean;
  readonly last_id?: string | null;
}

/**
 * Reads a list page by page, and again every few seconds while one of its rows goes on.
 * @param kind what `useAction` names when it changes some of it
 */
export function usePages<Row extends { readonly id: string }>(
  kind: string,
  path: string,
  goesOn: (row: Row) => boolean,
): Pages<Row> {
  const query = useInfiniteQuery({
    queryKey: [kind],
    queryFn: ({ pageParam }) => ask<ListAnswer<Row>>(path, { query: { limit: 50, after: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ has_more, last_id, data }) =>
      has_more === true ? (last_id ?? data.at(-1)?.id) : undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(goesOn)) === true ? LIVE_EVERY : false,
  });
  return {
    rows: query.data?.pages.flatMap(({ data }) => data),
    query,
    hasMore: query.hasNextPage,
    isReading: query.isFetchingNextPage,
    more: () => void query.fetchNextPage(),
  };
}

/** The way to the next page of a list; nothing at its end. */
export function MoreButton({ list }: { readonly list: Pages<unknown> }): ReactNode {
  if (!list.hasMore) return null;
  return (
    <Group justify="center">
      <Button variant="default" loading={list.isReading} onClick={list.more}>
        Show more
      </Button>
    </Group>
  );
}
