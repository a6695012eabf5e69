import { Drawer } from "@mantine/core";
import type { ReactNode } from "react";

interface SidePanelProps<Thing> {
  /** What is looked at; undefined while the panel is closed. */
  readonly shown: Thing | undefined;
  readonly title: (shown: Thing) => string;
  readonly onClose: () => void;
  readonly children: (shown: Thing) => ReactNode;
}

/** One thing of a list in full, beside the list. */
export function SidePanel<Thing>({ shown, title, onClose, children }: SidePanelProps<Thing>): ReactNode {
  return (
    <Drawer
      opened={shown !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={shown !== undefined && title(shown)}
    >
      {shown !== undefined && children(shown)}
    </Drawer>
  );
}
