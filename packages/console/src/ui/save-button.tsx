import { Button, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { send } from "../api/client.ts";
import { save } from "./save.ts";

interface SaveButtonProps {
  /** Where the gateway has the bytes. */
  readonly path: string;
  readonly file: string;
  /** What the button is for, in full. */
  readonly label: string;
  readonly children: ReactNode;
}

/** Saves a file of the gateway's, or says why that failed. */
export function SaveButton({ path, file, label, children }: SaveButtonProps): ReactNode {
  const saving = useMutation({
    mutationFn: async () => save(file, await (await send(path)).blob()),
  });
  return (
    <Stack gap={2}>
      <Button
        size="compact-xs"
        variant="default"
        loading={saving.isPending}
        onClick={() => saving.mutate()}
        aria-label={label}
      >
        {children}
      </Button>
      {saving.error !== null && (
        <Text size="xs" c="red" maw={260} role="alert">
          {saving.error.message}
        </Text>
      )}
    </Stack>
  );
}
