import { Button, Group, Modal, PasswordInput, Stack, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { send } from "../api/client.ts";
import { Refusal, useAction } from "../ui/use-action.tsx";

/** Adds a deployment that the gateway stores; it is in force at once. */
export function ModelForm({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [name, setName] = useState("");
  const [target, setTarget] = useState("");
  const [apiKey, setApiKey] = useState("");
  const [apiBase, setApiBase] = useState("");
  const add = useAction(
    "models",
    () =>
      send("model/new", {
        method: "POST",
        body: {
          model_name: name.trim(),
          litellm_params: {
            model: target.trim(),
            ...(apiKey === "" ? {} : { api_key: apiKey.trim() }),
            ...(apiBase === "" ? {} : { api_base: apiBase.trim() }),
          },
        },
      }),
    onClose,
  );
  return (
    <Modal opened onClose={onClose} title="Add a deployment">
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
            description="Stored encrypted, never shown again"
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
              Add
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
