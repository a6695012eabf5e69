import { Button, Group, NumberInput, Select, SimpleGrid, Stack, TagsInput, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { Key } from "../api/types.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { Refusal } from "../ui/use-action.tsx";
import { NAMED } from "./budget-names.ts";
import { useModelNames } from "./model-names.ts";

/** What the form says about a key, by the names of `/key/generate`. */
export interface KeyFields {
  readonly key_alias: string | null;
  readonly models: readonly string[];
  readonly budget_id: string | null;
  readonly max_budget: number | null;
  readonly budget_duration: string | null;
  readonly max_rollover: number | null;
  readonly rpm_limit: number | null;
  readonly tpm_limit: number | null;
  readonly user_id: string | null;
  readonly team_id: string | null;
}

interface KeyFormProps {
  /** The key that is changed; undefined for a new one. */
  readonly given: Key | undefined;
  readonly error: Error | null;
  readonly isPending: boolean;
  /** The owner of a key changes its name alone. */
  readonly isOwner: boolean;
  /** Makes keys of others and of teams. */
  readonly givesAway: boolean;
  /** Names of budgets to choose from; undefined for those who may not see them. */
  readonly budgets: readonly string[] | undefined;
  readonly onSave: (fields: Partial<KeyFields>) => void;
  readonly onClose: () => void;
}

const numberOf = (value: string | number): number | null => (value === "" ? null : Number(value));
const textOf = (value: string): string | null => (value.trim() === "" ? null : value.trim());

/** Creates or changes a key. */
export function KeyForm({
  given,
  isOwner,
  givesAway,
  budgets,
  error,
  isPending,
  onSave,
  onClose,
}: KeyFormProps): ReactNode {
  const [fields, setFields] = useState<KeyFields>({
    key_alias: given?.key_alias ?? null,
    models: given?.models ?? [],
    budget_id: given?.budget_id ?? null,
    max_budget: given?.max_budget ?? null,
    budget_duration: given?.budget_duration ?? null,
    max_rollover: given?.max_rollover ?? null,
    rpm_limit: given?.rpm_limit ?? null,
    tpm_limit: given?.tpm_limit ?? null,
    user_id: given?.user_id ?? null,
    team_id: given?.team_id ?? null,
  });
  const set = (change: Partial<KeyFields>): void => setFields((before) => ({ ...before, ...change }));
  return (
    <FormDialog
      onClose={onClose}
      title={given === undefined ? "Create a key" : `Change ${given.key_alias ?? given.key_name ?? "a key"}`}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSave(isOwner ? { key_alias: fields.key_alias } : fields);
        }}
      >
        <Stack>
          <TextInput
            label="Alias"
            data-autofocus
            value={fields.key_alias ?? ""}
            onChange={(event) => set({ key_alias: textOf(event.currentTarget.value) })}
          />
          {!isOwner && <Limits fields={fields} givesAway={givesAway} budgets={budgets} set={set} />}
          <Refusal error={error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending}>
              {given === undefined ? "Create" : "Save"}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormDialog>
  );
}

interface LimitsProps {
  readonly fields: KeyFields;
  readonly givesAway: boolean;
  readonly budgets: readonly string[] | undefined;
  readonly set: (change: Partial<KeyFields>) => void;
}

/** What a key may, and whose it is. */
function Limits({ fields, givesAway, budgets, set }: LimitsProps): ReactNode {
  const names = useModelNames();
  return (
    <>
      <TagsInput
        label="Models"
        description="None: every model"
        data={names}
        value={[...fields.models]}
        onChange={(models) => set({ models })}
      />
      {budgets === undefined && (
        <TextInput
          label="Budget by name"
          description={NAMED}
          value={fields.budget_id ?? ""}
          onChange={(event) => set({ budget_id: textOf(event.currentTarget.value) })}
        />
      )}
      {budgets !== undefined && budgets.length > 0 && (
        <Select
          label="Budget by name"
          description={NAMED}
          data={[...budgets]}
          clearable
          value={fields.budget_id}
          onChange={(budget_id) => set({ budget_id })}
        />
      )}
      <SimpleGrid cols={2}>
        <NumberInput
          label="Budget in dollars"
          min={0}
          value={fields.max_budget ?? ""}
          onChange={(value) => set({ max_budget: numberOf(value) })}
        />
        <TextInput
          label="Budget resets every"
          placeholder="30d"
          value={fields.budget_duration ?? ""}
          onChange={(event) => set({ budget_duration: textOf(event.currentTarget.value) })}
        />
        <NumberInput
          label="Rolls over at most, in dollars"
          min={0}
          value={fields.max_rollover ?? ""}
          onChange={(value) => set({ max_rollover: numberOf(value) })}
        />
        <NumberInput
          label="Requests a minute"
          min={0}
          value={fields.rpm_limit ?? ""}
          onChange={(value) => set({ rpm_limit: numberOf(value) })}
        />
        <NumberInput
          label="Tokens a minute"
          min={0}
          value={fields.tpm_limit ?? ""}
          onChange={(value) => set({ tpm_limit: numberOf(value) })}
        />
        {givesAway && (
          <>
            <TextInput
              label="User"
              value={fields.user_id ?? ""}
              onChange={(event) => set({ user_id: textOf(event.currentTarget.value) })}
            />
            <TextInput
              label="Team"
              value={fields.team_id ?? ""}
              onChange={(event) => set({ team_id: textOf(event.currentTarget.value) })}
            />
          </>
        )}
      </SimpleGrid>
    </>
  );
}
