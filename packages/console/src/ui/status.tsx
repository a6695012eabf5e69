import { Badge } from "@mantine/core";
import type { ReactNode } from "react";

/** How a request ended. */
export function Status({ status }: { readonly status: string }): ReactNode {
  return (
    <Badge color={status === "success" ? "green" : "red"} variant="dot">
      {status}
    </Badge>
  );
}
