import { Text } from "@mantine/core";
import type { ReactNode } from "react";

/** A name that may be long, cut off where its column ends; the pointer shows it whole. */
export function IdCell({ id, width = 180 }: { readonly id: string; readonly width?: number }): ReactNode {
  return (
    <Text size="sm" truncate maw={width} title={id}>
      {id}
    </Text>
  );
}
