import "uplot/dist/uPlot.min.css";
import { Card, Text, useComputedColorScheme } from "@mantine/core";
import { useElementSize, useMergedRef } from "@mantine/hooks";
import { type ReactNode, useEffect, useRef } from "react";
import UPlot from "uplot";

interface PlotProps {
  readonly title: string;
  /** Moments in seconds since the epoch, in order. */
  readonly times: readonly number[];
  readonly values: readonly number[];
  readonly write: (value: number) => string;
  /** Whether there is nothing between one and two. */
  readonly isWhole?: boolean;
  /** Whether the values of all steps add up to something. */
  readonly sums?: boolean;
}

const HEIGHT = 180;
/** Distances between the marks of an axis of whole numbers. */
const WHOLE = Array.from({ length: 13 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

/** One figure over time. Those who cannot see it are told its sum and its peak. */
export function Plot({ title, times, values, write, isWhole = false, sums = true }: PlotProps): ReactNode {
  const { ref: measure, width } = useElementSize<HTMLDivElement>();
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<UPlot>(undefined);
  const scheme = useComputedColorScheme("light");
  // A plot is made anew when its shape or its colors change, and filled when only the figures do.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the figures come in the effect below
  useEffect(() => {
    if (width === 0 || place.current === null) return;
    const plot = new UPlot(optionsOf(width, write, isWhole, place.current), [[], []], place.current);
    drawn.current = plot;
    return () => plot.destroy();
  }, [width, scheme]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a plot that was made anew is empty
  useEffect(() => drawn.current?.setData([[...times], [...values]]), [times, values, width, scheme]);
  const sum = values.reduce((total, value) => total + value, 0);
  const peak = values.reduce((most, value) => Math.max(most, value), 0);
  return (
    <Card withBorder padding="sm">
      <Text size="sm" mb="xs">
        {title}
      </Text>
      <div
        ref={useMergedRef(measure, place)}
        role="img"
        aria-label={`${title} over time: ${sums ? `${write(sum)} in all, ` : ""}at most ${write(peak)} in one step`}
        style={{ height: HEIGHT, overflow: "hidden" }}
      />
    </Card>
  );
}

function optionsOf(
  width: number,
  write: (value: number) => string,
  isWhole: boolean,
  element: HTMLElement,
): UPlot.Options {
  const style = getComputedStyle(element);
  const color = (name: string): string => style.getPropertyValue(name).trim();
  const axis: UPlot.Axis = {
    stroke: color("--mantine-color-text"),
    grid: { stroke: color("--mantine-color-default-border"), width: 1 },
    ticks: { stroke: color("--mantine-color-default-border"), width: 1 },
  };
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false },
    scales: { y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.1 : 1] } },
    axes: [
      axis,
      { ...axis, ...(isWhole ? { incrs: WHOLE } : {}), size: 72, values: (_plot, marks) => marks.map(write) },
    ],
    series: [
      {},
      {
        stroke: color("--mantine-primary-color-filled"),
        fill: color("--mantine-primary-color-light"),
        width: 2,
        points: { show: false },
        paths: UPlot.paths.stepped!({ align: 1 }),
      },
    ],
  };
}
