import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";

interface RowButtonsProps {
  /** What the row is about. */
  readonly name: string;
  /** The query of the page of its requests. */
  readonly requests: string;
  /** What can be done with it; false for what whoever is signed in may not. */
  readonly buttons: readonly (readonly [label: string, act: () => void] | false)[];
}

/** What can be done with what a row shows, and the way to its requests. */
export function RowButtons({ name, requests, buttons }: RowButtonsProps): ReactNode {
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
      <Button {...shape} component={Link} to={`/requests?${requests}`} aria-label={`Requests of ${name}`}>
        Requests
      </Button>
    </Group>
  );
}
