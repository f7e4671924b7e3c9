// How a node looks: its outline says what it is, its colour, sign and border how grave what was found there is.
import { SEVERITIES, SIGNS, type NodeRow, type Report } from "../data";
import type { Group } from "./model";
import type { Box } from "./layout";

const WIDTH = 196;
const LINE = 15;
const TOP = 42;
export const MOST_LINES = 4;
const ASIDE = 30; // of the width, left and right of a text

export function sizeOfNode(node: NodeRow): { width: number; height: number } {
  return { width: WIDTH, height: TOP + 6 + LINE * Math.min(node.lines.length, MOST_LINES) };
}

export function sizeOfGroup(lines: string[]): { width: number; height: number } {
  return { width: WIDTH + 24, height: TOP + 8 + LINE * Math.min(lines.length, MOST_LINES) };
}

export function groupLines(group: Group, report: Report): string[] {
  const { nodes, kinds } = report.doc.system;
  const counts = new Map<string, number>();
  for (const number of group.nodes) {
    const kind = nodes[number]?.kind ?? "";
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return Object.keys(kinds).flatMap((kind) => (counts.has(kind) ? [`${kinds[kind]} ${counts.get(kind)}`] : []));
}

export function worstOf(group: Group, report: Report): number {
  return Math.max(0, ...group.nodes.map((number) => report.doc.system.nodes[number]?.severity ?? 0));
}

type Measure = (text: string) => number;
const measures = new Map<string, Measure>();

// How wide a text is; where nothing can be drawn (in tests) by its letters.
function measure(font: string): Measure {
  const known = measures.get(font);
  if (known !== undefined) return known;
  const context = document.createElement("canvas").getContext("2d");
  if (context !== null) context.font = font;
  const made: Measure = context === null ? (text) => 7.5 * [...text].length : (text) => context.measureText(text).width;
  measures.set(font, made);
  return made;
}

const FACE = "system-ui, 'Segoe UI', Roboto, sans-serif";
export const NAME = `650 13px ${FACE}`;
export const SMALL = `11px ${FACE}`;
export const LABEL = `12px ${FACE}`;

// A text cut to what fits; of a path the end is what tells it apart.
export function fitted(text: string, width: number, font: string, keepEnd = false): string {
  const wide = measure(font);
  if (wide(text) <= width) return text;
  const letters = [...text];
  const cut = (count: number): string =>
    keepEnd ? `…${letters.slice(letters.length - count).join("")}` : `${letters.slice(0, count).join("")}…`;
  let [least, most] = [0, letters.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (wide(cut(middle)) <= width) least = middle;
    else most = middle - 1;
  }
  return cut(least);
}

export function outline(kind: string, w: number, h: number): string {
  switch (kind) {
    case "agent":
      return round(w, h, 21);
    case "run":
    case "exported_graph":
    case "loop":
    case "dispatch":
      return `M6 0H${w - 12}L${w} ${h / 2}L${w - 12} ${h}H6Q0 ${h} 0 ${h - 6}V6Q0 0 6 0Z`;
    case "router":
      return `M14 0H${w - 14}L${w} ${h / 2}L${w - 14} ${h}H14L0 ${h / 2}Z`;
    case "memory":
      return `M0 4C0 -1.5 ${w} -1.5 ${w} 4V${h - 4}C${w} ${h + 2} 0 ${h + 2} 0 ${h - 4}ZM0 4C0 9 ${w} 9 ${w} 4`;
    case "source":
      return `M0 0H${w - 14}L${w} 14V${h}H0ZM${w - 14} 0V14H${w}`;
    case "mcp_server":
    case "mcp_client":
      return `${round(w, h, 4)}M6 0V${h}M${w - 6} 0V${h}`;
    case "peer":
      return `M12 0H${w - 12}L${w} 12V${h - 12}L${w - 12} ${h}H12L0 ${h - 12}V12Z`;
    default:
      return round(w, h, 5);
  }
}

function round(w: number, h: number, r: number): string {
  return `M${r} 0H${w - r}Q${w} 0 ${w} ${r}V${h - r}Q${w} ${h} ${w - r} ${h}H${r}Q0 ${h} 0 ${h - r}V${r}Q0 0 ${r} 0Z`;
}

interface Drawing {
  box: Box;
  kind: string;
  degree: number;
  severity: number;
  name: string;
  words: string;
  lines: string[];
  gaps: number;
  stacked?: boolean;
}

export function Shape({ box, kind, degree, severity, name, words, lines, gaps, stacked = false }: Drawing) {
  const path = outline(kind, box.width, box.height);
  const room = box.width - ASIDE;
  return (
    <>
      {stacked && <path class="outline behind" d={path} transform="translate(5 5)" />}
      <path class={`outline degree${degree}`} d={path} />
      <text class="kind" x={16} y={17}>
        {`${words} `}
      </text>
      {severity > 0 && (
        <text class="sign" x={box.width - 16} y={18} text-anchor="end">
          {`${SIGNS[severity]} ${SEVERITIES[severity]}${gaps > 0 ? ` ${gaps}` : ""} `}
        </text>
      )}
      <text class="name" x={16} y={34}>
        {`${fitted(name, room, NAME, stacked)} `}
      </text>
      {lines.map((line, at) => (
        <text class="does" x={16} y={34 + LINE * (at + 1)}>
          {`${fitted(line, room, SMALL)} `}
        </text>
      ))}
    </>
  );
}
