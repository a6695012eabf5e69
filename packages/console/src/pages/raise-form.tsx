import { Button, Group, NumberInput, Stack } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { send } from "../api/client.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { Refusal, useAction } from "../ui/use-action.tsx";

const DAY = 86_400_000;

/** Something with a budget. */
export interface Raised {
  /** The list that shows it. */
  readonly kind: "keys" | "teams" | "users";
  readonly path: "key/update" | "team/update" | "user/update";
  /** What names it there. */
  readonly id: Readonly<Record<string, string>>;
  readonly name: string;
  /** US dollars. */
  readonly budget: number;
}

interface RaiseFormProps {
  readonly raised: Raised;
  readonly onClose: () => void;
}

/** Lets a key, a team or a user spend more for a day. */
export function RaiseForm({ raised, onClose }: RaiseFormProps): ReactNode {
  const [amount, setAmount] = useState<string | number>(raised.budget);
  const raise = useAction(
    raised.kind,
    () =>
      send(raised.path, {
        method: "POST",
        body: {
          ...raised.id,
          temp_budget_increase: Number(amount),
          temp_budget_expiry: new Date(Date.now() + DAY).toISOString(),
        },
      }),
    onClose,
  );
  return (
    <FormDialog onClose={onClose} title={`Raise ${raised.name} for a day`}>
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
