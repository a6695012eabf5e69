import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";

interface RowButtonsProps {
  /** What the row is about. */
  readonly name: string;
  /** Ways to pages about it. */
  readonly links?: readonly (readonly [label: string, to: string])[];
  /** What can be done with it; false for what whoever is signed in may not. */
  readonly buttons: readonly (readonly [label: string, act: () => void] | false)[];
}

/** What can be done with what a row shows, and ways to pages about it. */
export function RowButtons({ name, links = [], buttons }: RowButtonsProps): ReactNode {
  const shape = { size: "compact-xs", variant: "default" } as const;
  return (
    <Group gap="xs" wrap="nowrap">
      {buttons
        .filter((each) => each !== false)
        .map(([label, act]) => (
          <Button {...shape} key={label} onClick={act} aria-label={`${label} ${name}`}>
            {label}
          </Button>
        ))}
      {links.map(([label, to]) => (
        <Button {...shape} key={label} component={Link} to={to} aria-label={`${label} of ${name}`}>
          {label}
        </Button>
      ))}
    </Group>
  );
}
