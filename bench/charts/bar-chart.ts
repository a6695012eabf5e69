/** Colours of one background; all texts reach a contrast of 4.5 on GitHub's and npm's pages. */
export interface Palette {
  readonly text: string;
  readonly muted: string;
  readonly bar: string;
  readonly highlight: string;
}

/** The two backgrounds that `<picture>` tells apart by `prefers-color-scheme`. */
export const PALETTES: Readonly<Record<"light" | "dark", Palette>> = {
  light: { text: "#1f2328", muted: "#59636e", bar: "#afb8c1", highlight: "#0969da" },
  dark: { text: "#f0f6fc", muted: "#9198a1", bar: "#4a525c", highlight: "#58a6ff" },
};

/** Horizontal bars on one linear scale that begins at zero. */
export interface BarChart {
  readonly title: string;
  readonly subtitle: string;
  readonly bars: readonly Bar[];
}

/** One bar, with the text that stands behind it. */
export interface Bar {
  readonly label: string;
  readonly value: number;
  readonly shown: string;
  readonly highlighted: boolean;
}

const WIDTH = 760;
const LABEL_WIDTH = 190;
const VALUE_WIDTH = 110;
const HEAD_HEIGHT = 64;
const ROW_HEIGHT = 34;
const BAR_HEIGHT = 18;

/** The chart as an SVG with a transparent background. */
export function barChartSvg({ title, subtitle, bars }: BarChart, palette: Palette): string {
  const longest = Math.max(...bars.map(({ value }) => value));
  const scale = (WIDTH - LABEL_WIDTH - VALUE_WIDTH) / longest;
  const height = HEAD_HEIGHT + bars.length * ROW_HEIGHT + 8;
  const rows = bars.map(({ label, value, shown, highlighted }, index) => {
    const top = HEAD_HEIGHT + index * ROW_HEIGHT;
    const middle = top + BAR_HEIGHT / 2;
    const width = Math.max(value * scale, 1).toFixed(1);
    const weight = highlighted ? ' font-weight="600"' : "";
    return [
      `<text x="${LABEL_WIDTH - 12}" y="${middle}" fill="${palette.text}" text-anchor="end" dominant-baseline="central"${weight}>${escapeXml(label)}</text>`,
      `<rect x="${LABEL_WIDTH}" y="${top}" width="${width}" height="${BAR_HEIGHT}" rx="2" fill="${highlighted ? palette.highlight : palette.bar}"/>`,
      `<text x="${(LABEL_WIDTH + Number(width) + 8).toFixed(1)}" y="${middle}" fill="${palette.text}" dominant-baseline="central"${weight}>${escapeXml(shown)}</text>`,
    ].join("\n");
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" font-family="-apple-system, 'Segoe UI', 'Noto Sans', Helvetica, Arial, sans-serif" font-size="14">`,
    `<title>${escapeXml(`${title}: ${bars.map(({ label, shown }) => `${label} ${shown}`).join(", ")}`)}</title>`,
    `<text x="0" y="20" fill="${palette.text}" font-size="17" font-weight="600">${escapeXml(title)}</text>`,
    `<text x="0" y="43" fill="${palette.muted}" font-size="13">${escapeXml(subtitle)}</text>`,
    ...rows,
    "</svg>\n",
  ].join("\n");
}

/** A text as XML has it, also within quotes. */
export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
