import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

interface ConfirmProps {
  /** What will be done; undefined when nothing is asked. */
  readonly question: string | undefined;
  readonly action: string;
  readonly isPending: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** Asks before something is done that cannot be taken back. */
export function Confirm({
  question,
  action,
  isPending,
  onConfirm,
  onClose,
  children,
}: ConfirmProps): ReactNode {
  return (
    <Modal opened={question !== undefined} onClose={onClose} title="Are you sure?">
      <Stack>
        <Text>{question}</Text>
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button color="red.9" loading={isPending} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
