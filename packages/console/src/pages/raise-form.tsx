import { Button, Group, NumberInput, Stack } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { send } from "../api/client.ts";
import type { Key } from "../api/types.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { Refusal, useAction } from "../ui/use-action.tsx";

const DAY = 86_400_000;

interface RaiseFormProps {
  readonly raised: Key;
  readonly onClose: () => void;
}

/** Lets a key spend more for a day. */
export function RaiseForm({ raised, onClose }: RaiseFormProps): ReactNode {
  const [amount, setAmount] = useState<string | number>(raised.max_budget ?? "");
  const raise = useAction(
    "keys",
    () =>
      send("key/update", {
        method: "POST",
        body: {
          key: raised.token,
          temp_budget_increase: Number(amount),
          temp_budget_expiry: new Date(Date.now() + DAY).toISOString(),
        },
      }),
    onClose,
  );
  return (
    <FormDialog
      onClose={onClose}
      title={`Raise ${raised.key_alias ?? raised.key_name ?? "the key"} for a day`}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          raise.mutate(undefined);
        }}
      >
        <Stack>
          <NumberInput
            label="Dollars more"
            description="For 24 hours from now; then the budget is what it was"
            min={0}
            required
            data-autofocus
            value={amount}
            onChange={setAmount}
          />
          <Refusal error={raise.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={raise.isPending}>
              Raise
            </Button>
          </Group>
        </Stack>
      </form>
    </FormDialog>
  );
}
