import { Button, Group, PasswordInput, Stack, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { send } from "../api/client.ts";
import type { Deployment } from "../api/types.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { Refusal, useAction } from "../ui/use-action.tsx";

interface ModelFormProps {
  /** The deployment that is changed; undefined for a new one. */
  readonly given: Deployment | undefined;
  readonly onClose: () => void;
}

/** Adds or changes a deployment that the gateway stores; it is in force at once. */
export function ModelForm({ given, onClose }: ModelFormProps): ReactNode {
  const [name, setName] = useState(given?.model_name ?? "");
  const [target, setTarget] = useState(given?.litellm_params.model ?? "");
  const [apiKey, setApiKey] = useState("");
  const [apiBase, setApiBase] = useState(given?.litellm_params.api_base ?? "");
  const add = useAction(
    "models",
    () =>
      send(given === undefined ? "model/new" : "model/update", {
        method: "POST",
        body: {
          model_name: name.trim(),
          litellm_params: {
            model: target.trim(),
            ...(apiKey === "" ? {} : { api_key: apiKey.trim() }),
            // Of a stored one, what stays out stays as it is.
            ...(apiBase !== ""
              ? { api_base: apiBase.trim() }
              : given?.litellm_params.api_base
                ? { api_base: null }
                : {}),
          },
          ...(given === undefined ? {} : { model_info: { id: given.model_info.id } }),
        },
      }),
    onClose,
  );
  return (
    <FormDialog
      onClose={onClose}
      title={given === undefined ? "Add a deployment" : `Change ${given.model_name}`}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate(undefined);
        }}
      >
        <Stack>
          <TextInput
            label="Model"
            description="What callers ask for"
            required
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            label="Goes to"
            description="Provider and model"
            placeholder="anthropic/claude-sonnet-4-5"
            required
            value={target}
            onChange={(event) => setTarget(event.currentTarget.value)}
          />
          <PasswordInput
            label="Provider's key"
            description={
              given === undefined
                ? "Stored encrypted, never shown again"
                : "The stored one stays where nothing is written here"
            }
            autoComplete="off"
            value={apiKey}
            onChange={(event) => setApiKey(event.currentTarget.value)}
          />
          <TextInput
            label="Provider's address"
            description="Only where it is not the provider's own"
            value={apiBase}
            onChange={(event) => setApiBase(event.currentTarget.value)}
          />
          <Refusal error={add.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={add.isPending}>
              {given === undefined ? "Add" : "Save"}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormDialog>
  );
}
