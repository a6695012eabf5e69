import type { ReactNode } from "react";
import { Confirm } from "./confirm.tsx";
import { Refusal, type useAction } from "./use-action.tsx";

interface RemovalProps<Thing> {
  /** What is to be deleted; undefined when nothing is. */
  readonly doomed: Thing | undefined;
  /** What comes of it. */
  readonly question: (thing: Thing) => string;
  readonly remove: ReturnType<typeof useAction<Thing, unknown>>;
  readonly onClose: () => void;
}

/** Asks before something is deleted, and says why it was refused. */
export function Removal<Thing>({ doomed, question, remove, onClose }: RemovalProps<Thing>): ReactNode {
  return (
    <Confirm
      question={doomed && question(doomed)}
      action="Delete"
      isPending={remove.isPending}
      onConfirm={() => doomed && remove.mutate(doomed)}
      onClose={() => {
        remove.reset();
        onClose();
      }}
    >
      <Refusal error={remove.error} />
    </Confirm>
  );
}
