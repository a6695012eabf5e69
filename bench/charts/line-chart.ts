import { escapeXml, type Palette } from "./bar-chart.ts";

/** Panels one below the other over one common horizontal axis; every vertical scale begins at zero. */
export interface LineChart {
  readonly title: string;
  readonly subtitle: string;
  /** What the horizontal axis counts, and where on it the points are. */
  readonly axis: string;
  readonly at: readonly number[];
  readonly panels: readonly Panel[];
}

/** One line with its own scale. */
export interface Panel {
  readonly title: string;
  readonly values: readonly number[];
  /** A dashed line across the panel, with the text beside it. */
  readonly limit?: { readonly value: number; readonly label: string };
  readonly show: (value: number) => string;
}

const WIDTH = 760;
const LEFT = 70;
const RIGHT = 16;
const HEAD_HEIGHT = 64;
const PANEL_HEIGHT = 130;
/** The title of a panel above, and room to the next one below its line. */
const PANEL_GAP = 44;
const FOOT_HEIGHT = 40;
/** Two texts beside the scale that are nearer would cover each other. */
const TEXT_HEIGHT = 14;

/** The chart as an SVG with a transparent background. */
export function lineChartSvg({ title, subtitle, axis, at, panels }: LineChart, palette: Palette): string {
  const last = Math.max(...at);
  const x = (value: number): number => LEFT + (value / last) * (WIDTH - LEFT - RIGHT);
  const bottom = HEAD_HEIGHT + panels.length * (PANEL_HEIGHT + PANEL_GAP) - PANEL_GAP;
  const marks = [0, 0.25, 0.5, 0.75, 1].map((part) => part * last);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${bottom + FOOT_HEIGHT}" width="${WIDTH}" height="${bottom + FOOT_HEIGHT}" role="img" font-family="-apple-system, 'Segoe UI', 'Noto Sans', Helvetica, Arial, sans-serif" font-size="12">`,
    `<title>${escapeXml(`${title}: ${panels.map(described).join("; ")}`)}</title>`,
    `<text x="0" y="20" fill="${palette.text}" font-size="17" font-weight="600">${escapeXml(title)}</text>`,
    `<text x="0" y="43" fill="${palette.muted}" font-size="13">${escapeXml(subtitle)}</text>`,
    ...panels.flatMap((panel, index) =>
      drawn(panel, at.map(x), HEAD_HEIGHT + 22 + index * (PANEL_HEIGHT + PANEL_GAP), palette),
    ),
    ...marks.map(
      (mark) =>
        `<text x="${x(mark).toFixed(1)}" y="${bottom + 20}" fill="${palette.muted}" text-anchor="${mark === last ? "end" : "middle"}">${mark.toLocaleString("en-US")}${mark === last ? ` ${escapeXml(axis)}` : ""}</text>`,
    ),
    "</svg>\n",
  ].join("\n");
}

function drawn(panel: Panel, xs: readonly number[], top: number, palette: Palette): string[] {
  const height = PANEL_HEIGHT - 22;
  const most = Math.max(...panel.values, panel.limit?.value ?? 0) * 1.1;
  const y = (value: number): string => (top + height - (value / most) * height).toFixed(1);
  const points = panel.values.map((value, index) => `${xs[index]!.toFixed(1)},${y(value)}`).join(" ");
  const across = (value: number, dash: string): string =>
    `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(value)}" y2="${y(value)}" stroke="${palette.bar}" stroke-width="1"${dash}/>`;
  const beside = (value: number, text: string): string =>
    `<text x="${LEFT - 8}" y="${y(value)}" fill="${palette.muted}" text-anchor="end" dominant-baseline="central">${escapeXml(text)}</text>`;
  const { limit } = panel;
  const end = panel.values.at(-1)!;
  const isFree = [0, limit?.value].every(
    (value) => value === undefined || Math.abs(Number(y(value)) - Number(y(end))) > TEXT_HEIGHT,
  );
  return [
    `<text x="${LEFT}" y="${top - 6}" fill="${palette.text}">${escapeXml(panel.title)}</text>`,
    across(0, ""),
    beside(0, "0"),
    ...(isFree ? [beside(end, panel.show(end))] : []),
    ...(limit === undefined
      ? []
      : [across(limit.value, ' stroke-dasharray="4 4"'), beside(limit.value, limit.label)]),
    `<polyline points="${points}" fill="none" stroke="${palette.highlight}" stroke-width="2"/>`,
  ];
}

function described({ title, values, show }: Panel): string {
  return `${title} from ${show(values[0]!)} to ${show(values.at(-1)!)}, at most ${show(Math.max(...values))}`;
}
