import { Button, Group, NumberInput, Select, Stack, TagsInput, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { FormDialog } from "../ui/form-dialog.tsx";
import { Refusal, type useAction } from "../ui/use-action.tsx";

/** One thing that a form asks for, by its name in the request. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly kind: "text" | "number" | "list" | "choice";
  readonly options?: readonly string[];
  readonly description?: string;
  /** A choice that can be taken back. */
  readonly clearable?: boolean;
}

export type Values = Readonly<Record<string, unknown>>;

interface EntityFormProps {
  readonly title: string;
  readonly fields: readonly Field[];
  /** What is changed, or that it is something new. */
  readonly edited: object | "new";
  /** Gets what was filled in or changed. */
  readonly save: ReturnType<typeof useAction<Values, unknown>>;
  readonly onClose: () => void;
}

/** A form for what has a name and limits: teams, their members, users and budgets. */
export function EntityForm({ title, fields, edited, save, onClose }: EntityFormProps): ReactNode {
  const given: Values | undefined = edited === "new" ? undefined : { ...edited };
  const [changes, setChanges] = useState<Values>({});
  const valueFor = ({ name }: Field): unknown => (name in changes ? changes[name] : given?.[name]);
  const close = (): void => {
    save.reset();
    onClose();
  };
  return (
    <FormDialog onClose={close} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(given === undefined ? withoutNull(changes) : changes);
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
          <Refusal error={save.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending}>
              {given === undefined ? "Create" : "Save"}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormDialog>
  );
}

/** What is new takes what is not said from the gateway's defaults. */
function withoutNull(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

interface InputProps {
  readonly field: Field;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

function Input({
  field: { kind, label, description, options = [], clearable = false },
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
        clearable={clearable}
        value={typeof value === "string" ? value : null}
        onChange={onChange}
      />
    );
  return (
    <TextInput
      {...shown}
      value={typeof value === "string" ? value : ""}
      onChange={({ currentTarget: { value: text } }) => onChange(text === "" ? null : text)}
    />
  );
}
