import { Badge, Group } from "@mantine/core";
import type { ReactNode } from "react";

/** Tools and how often each was called; names come from whoever calls. */
export function ToolNames({
  tools,
}: {
  readonly tools: readonly { readonly name: string; readonly calls: number }[];
}): ReactNode {
  if (tools.length === 0) return "–";
  return (
    <Group gap={4} miw={120} maw={320}>
      {tools.map(({ name, calls }) => (
        <Badge key={name} variant="default" tt="none" maw={200} title={name}>
          {calls === 1 ? name : `${name} × ${calls}`}
        </Badge>
      ))}
    </Group>
  );
}

/** Names with repeats, each once. */
export function counted(names: readonly string[]): { name: string; calls: number }[] {
  const calls = new Map<string, number>();
  for (const name of names) calls.set(name, (calls.get(name) ?? 0) + 1);
  return [...calls].map(([name, count]) => ({ name, calls: count }));
}
