import { Button, Group, NumberInput, Select, Stack, TagsInput, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { FormDialog } from "../ui/form-dialog.tsx";
import { Refusal } from "../ui/use-action.tsx";

/** One thing that a form asks for, by its name in the request. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly kind: "text" | "number" | "list" | "choice";
  readonly options?: readonly string[];
  readonly description?: string;
}

export type Values = Readonly<Record<string, unknown>>;

interface EntityFormProps {
  readonly title: string;
  readonly fields: readonly Field[];
  /** What is changed; undefined for something new. */
  readonly given: Values | undefined;
  readonly error: Error | null;
  readonly isPending: boolean;
  /** Gets what was filled in or changed. */
  readonly onSave: (values: Values) => void;
  readonly onClose: () => void;
}

/** A form for teams and users. */
export function EntityForm({
  title,
  fields,
  given,
  error,
  isPending,
  onSave,
  onClose,
}: EntityFormProps): ReactNode {
  const [changes, setChanges] = useState<Values>({});
  const valueFor = ({ name }: Field): unknown => (name in changes ? changes[name] : given?.[name]);
  return (
    <FormDialog onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSave(changes);
        }}
      >
        <Stack>
          {fields.map((field) => (
            <Input
              key={field.name}
              field={field}
              value={valueFor(field)}
              onChange={(value) => setChanges((before) => ({ ...before, [field.name]: value }))}
            />
          ))}
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

interface InputProps {
  readonly field: Field;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

function Input({
  field: { kind, label, description, options = [] },
  value,
  onChange,
}: InputProps): ReactNode {
  const shown = { label, ...(description === undefined ? {} : { description }) };
  if (kind === "number")
    return (
      <NumberInput
        {...shown}
        min={0}
        value={typeof value === "number" ? value : ""}
        onChange={(next) => onChange(next === "" ? null : Number(next))}
      />
    );
  if (kind === "list")
    return (
      <TagsInput
        {...shown}
        data={[...options]}
        value={Array.isArray(value) ? (value as string[]) : []}
        onChange={onChange}
      />
    );
  if (kind === "choice")
    return (
      <Select
        {...shown}
        data={[...options]}
        value={typeof value === "string" ? value : null}
        onChange={onChange}
      />
    );
  return (
    <TextInput
      {...shown}
      value={typeof value === "string" ? value : ""}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
