import { writeFile } from "node:fs/promises";
import path from "node:path";
import { LineChart } from "echarts/charts";
import { GridComponent, TitleComponent } from "echarts/components";
import { init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";

use([LineChart, GridComponent, TitleComponent, SVGRenderer]);

const PICTURES = path.resolve(import.meta.dirname, "../docs/pictures");
const WIDTH = 760;
const HEIGHT = 380;
/** The colours of `app/ui/tokens.css`. */
const SCHEMES = {
  light: { paper: "#f6f6f1", ink: "#11150f", muted: "#565b50", rule: "#d6d6cb" },
  dark: { paper: "#10130f", ink: "#ecede4", muted: "#a3a89b", rule: "#2c302a" },
};
const DASHES = ["solid", "dashed", "dotted"] as const;

export interface ChartText {
  /** The name of the chart's files, without the colour scheme. */
  name: string;
  title: string;
  /** The chart in words, for readers who can't see it. */
  description: string;
  xAxis: string;
  yAxis: string;
}

export interface Line {
  name: string;
  /** x is above 0, because its axis is logarithmic. */
  points: [x: number, y: number][];
}

function draw(
  { title, xAxis, yAxis }: ChartText,
  lines: readonly Line[],
  scheme: keyof typeof SCHEMES,
): string {
  const { paper, ink, muted, rule } = SCHEMES[scheme];
  const axis = {
    nameLocation: "middle" as const,
    nameTextStyle: { color: muted },
    axisLabel: { color: muted },
    axisLine: { lineStyle: { color: muted } },
    splitLine: { lineStyle: { color: rule } },
  };
  const chart = init(null, null, { renderer: "svg", ssr: true, width: WIDTH, height: HEIGHT });
  chart.setOption({
    animation: false,
    backgroundColor: paper,
    title: { text: title, textStyle: { color: ink, fontSize: 16 } },
    grid: { left: 56, right: 80, top: 48, bottom: 52 },
    xAxis: { ...axis, type: "log", name: xAxis, nameGap: 32, splitLine: { show: false } },
    yAxis: { ...axis, type: "value", name: yAxis, nameGap: 36 },
    series: lines.map(({ name, points }, index) => ({
      type: "line",
      name,
      data: points,
      symbol: "circle",
      symbolSize: 7,
      itemStyle: { color: ink },
      lineStyle: { color: ink, type: DASHES[index % DASHES.length] },
      endLabel: { show: true, formatter: "{a}", color: ink },
    })),
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
}

/** Draws the chart in both colour schemes as files in docs/pictures, and returns Markdown that shows them. */
export async function drawChart(chart: ChartText, lines: readonly Line[]): Promise<string> {
  for (const scheme of ["light", "dark"] as const) {
    await writeFile(path.join(PICTURES, `${chart.name}-${scheme}.svg`), `${draw(chart, lines, scheme)}\n`);
  }
  return `<picture>
  <source media="(prefers-color-scheme: dark)" srcset="pictures/${chart.name}-dark.svg">
  <img alt="${chart.description}" src="pictures/${chart.name}-light.svg" width="${WIDTH}" height="${HEIGHT}">
</picture>
`;
}
