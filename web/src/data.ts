// The document in the page, as `render/html/document.py` writes it, and how it is read.

export const FORMAT = 1;

export interface Rule {
  name: string;
  title: string;
  axis: string;
  group: string;
  severity: number;
  impact: number;
  confidence: number;
  effort: string;
  risk: number;
  costs: number;
  applicable: boolean;
  judged: number;
  unknown: number;
  page: number[];
  references: string[];
}

export type Place = [path: number, line: number];

export type ItemRow = [
  rule: number,
  outcome: number,
  path: number,
  line: number,
  endLine: number,
  symbol: number,
  reason: number,
  risk: number,
  severity: number,
  confidence: number,
  degree: number,
  framework: number,
  gain: number,
  fix: number,
  related: Place[],
  node: number,
  isNew: number,
];

export type CheckRow = [words: string, blocks: boolean, path: number, line: number];
export type DoingRow = [words: string, who: string, symbol: string, path: number, line: number];
export type EdgeRow = [
  source: number,
  target: number,
  kind: string,
  degree: number,
  path: number,
  line: number,
  checks: CheckRow[],
];

export interface NodeRow {
  kind: string;
  name: string;
  lines: string[]; // what it does, or whose text it is
  path: number;
  line: number;
  end: number;
  framework: number;
  part: number;
  degree: number;
  severity: number;
  does: DoingRow[];
  checks: CheckRow[];
  notes: string[];
}

export interface WayRow {
  origins: string[];
  path: number;
  line: number;
  nodes: number[];
  edges: number[];
  does: DoingRow;
  checks: CheckRow[];
}

export interface Axis {
  name: string;
  score: number;
  own: number | null;
  applicable: number;
  detectors: number;
}

export interface Changes {
  before: string;
  after: string;
  scores: [key: string, before: number | null, after: number | null, better: boolean | null][];
  new: number;
  fixed: [rule: number, path: number, line: number, message: number][];
  parts: [mark: string, kind: string, name: number, path: number, line: number, detail: number][];
  grown: [name: number, more: number][];
  remarks: string[];
}

export interface Overview {
  name: string;
  applicable: boolean;
  incomplete: boolean;
  health: number;
  weakest: number;
  axes: Axis[];
  files: number;
  languages: Record<string, number>;
  libraries: [name: string, version: string, origin: string][];
  models: [name: string, places: number][]; // "" where something else decides
  parts: string[][];
  first: [item: number, others: number, gain: number][];
  violations: [severity: string, text: string][];
  reasons: string[];
  changes: Changes | null;
  hidden: number;
  notices: [path: number, line: number, message: number][];
}

export interface Document {
  format: number;
  tool: { name: string; version: string };
  overview: Overview;
  rules: Rule[];
  items: ItemRow[];
  system: { kinds: Record<string, string>; nodes: NodeRow[]; edges: EdgeRow[]; ways: WayRow[] };
  code: [path: number, runs: [first: number, lines: string[]][]][];
  texts: string[];
}

// One row of the findings, with its texts.
export interface Item {
  index: number;
  rule: Rule;
  outcome: number;
  path: string;
  line: number;
  endLine: number;
  symbol: string;
  reason: string;
  risk: number;
  severity: number;
  confidence: number;
  degree: number;
  framework: string;
  gain: number;
  fix: string;
  related: { path: string; line: number }[];
  node: number;
  isNew: boolean;
  words: string; // what a search looks through, in small letters
}

export interface Report {
  doc: Document;
  items: Item[];
  text: (number: number) => string;
  line: (path: string, line: number) => string | undefined;
}

export const SEVERITIES = ["good", "low", "medium", "high", "critical"] as const;
export const SIGNS = ["", "●", "◆", "▲", "‼"] as const;
export const CONFIDENCES = ["high", "medium", "low"] as const;
export const DEGREES = ["resolved", "inferred", "guessed"] as const;
export const OUTCOMES = ["absent", "partial", "controlled", "unknown"] as const;

export function read(doc: Document): Report {
  if (doc.format !== FORMAT) throw new Error(`this page reads format ${FORMAT}, the report has ${doc.format}`);
  const text = (number: number): string => doc.texts[number] ?? "";
  const lines = new Map<string, string>();
  for (const [path, runs] of doc.code)
    for (const [first, found] of runs) found.forEach((line, at) => lines.set(`${text(path)}\0${first + at}`, line));
  return {
    doc,
    text,
    line: (path, line) => lines.get(`${path}\0${line}`),
    items: doc.items.map((row, index) => item(row, index, doc, text)),
  };
}

function item(row: ItemRow, index: number, doc: Document, text: (number: number) => string): Item {
  const rule = doc.rules[row[0]];
  if (rule === undefined) throw new Error(`there is no rule ${row[0]}`);
  const [path, symbol, reason] = [text(row[2]), text(row[5]), text(row[6])];
  return {
    index,
    rule,
    outcome: row[1],
    path,
    line: row[3],
    endLine: row[4],
    symbol,
    reason,
    risk: row[7],
    severity: row[8],
    confidence: row[9],
    degree: row[10],
    framework: text(row[11]),
    gain: row[12],
    fix: text(row[13]),
    related: row[14].map(([at, line]) => ({ path: text(at), line })),
    node: row[15],
    isNew: row[16] === 1,
    words: `${rule.name} ${rule.title} ${path} ${symbol} ${reason}`.toLowerCase(),
  };
}
