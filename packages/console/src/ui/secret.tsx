import { Alert, Button, Code, CopyButton, Group } from "@mantine/core";
import type { ReactNode } from "react";

/** The text of a new key, which is shown once. */
export function NewKey({
  secret,
  onClose,
}: {
  readonly secret: string;
  readonly onClose: () => void;
}): ReactNode {
  return (
    <Alert color="green" title="Copy the key now: it is not shown again" role="status">
      <Code block>{secret}</Code>
      <Group mt="sm">
        <CopyButton value={secret}>
          {({ copied, copy }) => <Button onClick={copy}>{copied ? "Copied" : "Copy"}</Button>}
        </CopyButton>
        <Button variant="default" onClick={onClose}>
          I have it
        </Button>
      </Group>
    </Alert>
  );
}
