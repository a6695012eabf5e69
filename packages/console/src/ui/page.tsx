import { Group, Stack, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";

interface PageProps {
  readonly title: string;
  /** What can be done here, beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** One page of the console. */
export function Page({ title, actions, children }: PageProps): ReactNode {
  useEffect(() => {
    document.title = `${title} · Portico`;
  }, [title]);
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Title order={1} size="h2">
          {title}
        </Title>
        <Group gap="sm">{actions}</Group>
      </Group>
      {children}
    </Stack>
  );
}
