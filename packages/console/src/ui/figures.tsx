import { Card, SimpleGrid, Text } from "@mantine/core";
import type { ReactNode } from "react";

interface FiguresProps {
  readonly figures: Readonly<Record<string, string>>;
  /** Cards in a row where there is room. */
  readonly columns: number;
  /** Cards behind them. */
  readonly children?: ReactNode;
}

/** Figures by their names, each on a card. */
export function Figures({ figures, columns, children }: FiguresProps): ReactNode {
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: columns }}>
      {Object.entries(figures).map(([name, figure]) => (
        <Card key={name} withBorder padding="sm">
          <Text size="sm">{name}</Text>
          <Text size="xl" fw={600}>
            {figure}
          </Text>
        </Card>
      ))}
      {children}
    </SimpleGrid>
  );
}
