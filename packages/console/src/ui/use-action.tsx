import { Alert } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";

/** A change at the gateway, after which the lists of `kind` are read anew. */
export function useAction<Input, Output>(
  kind: string,
  change: (input: Input) => Promise<Output>,
  done?: (output: Output) => void,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async (output) => {
      done?.(output);
      await queries.invalidateQueries({ queryKey: [kind] });
    },
  });
}

/** Why a change was refused; nothing when it was not. */
export function Refusal({ error }: { readonly error: Error | null }): ReactNode {
  if (error === null) return null;
  return (
    <Alert color="red" role="alert" title="This was refused">
      {error.message}
    </Alert>
  );
}
