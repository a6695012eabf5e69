import { Button, Code, CopyButton, Group, Modal, Stack } from "@mantine/core";
import type { ReactNode } from "react";

/** The text of a new key, which is shown once: nothing but its reader takes it away. */
export function NewKey({
  secret,
  onClose,
}: {
  readonly secret: string;
  readonly onClose: () => void;
}): ReactNode {
  return (
    <Modal
      opened
      onClose={onClose}
      title="Copy the key now: it is not shown again"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Code block tabIndex={0}>
          {secret}
        </Code>
        <Group>
          <CopyButton value={secret}>
            {({ copied, copy }) => <Button onClick={copy}>{copied ? "Copied" : "Copy"}</Button>}
          </CopyButton>
          <Button variant="default" onClick={onClose}>
            I have it
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
