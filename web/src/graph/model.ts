// What of the system is drawn: the nodes in scope, put together in groups of which some are one box.
import type { EdgeRow, NodeRow, Report } from "../data";
import type { State } from "../state";

export type GroupBy = "file" | "project" | "framework" | "none";

export interface Drawn {
  groups: Group[];
  edges: Line[];
  hidden: number; // nodes out of scope
}

export interface Group {
  key: string;
  label: string;
  nodes: number[];
  folded: boolean;
}

// An edge between two things that are drawn: a node (its number) or a folded group (its key).
export interface Line {
  from: string;
  to: string;
  degree: number;
  checks: number;
  edges: number[];
  words: string;
}

export const FOLD_ABOVE = 70; // nodes; above, groups begin as one box each

export function groupOf(node: NodeRow, by: GroupBy, report: Report): string {
  if (by === "file") return report.text(node.path);
  if (by === "framework") return report.text(node.framework) || "by hand";
  if (by === "project") return projectOf(node, report);
  return "";
}

// The project of a node where the repository has several, else the folder at the top.
export function projectOf(node: NodeRow, report: Report): string {
  if (report.doc.overview.parts.length > 0) return report.text(node.part) || "elsewhere";
  const path = report.text(node.path);
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".";
}

export function scopes(report: Report): [name: string, nodes: number][] {
  const counts = new Map<string, number>();
  for (const node of report.doc.system.nodes) {
    const name = projectOf(node, report);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
}

export function usualGroup(report: Report): GroupBy {
  return report.doc.system.nodes.length > FOLD_ABOVE ? "project" : "file";
}

export function drawn(report: Report, state: State): Drawn {
  const { nodes, edges } = report.doc.system;
  const by = (state.group || usualGroup(report)) as GroupBy;
  const inScope = nodes.map((node) => state.scope === "" || projectOf(node, report) === state.scope);
  const kept = inScope.slice();
  if (state.scope !== "")
    for (const [source, target] of edges)
      if (inScope[source] || inScope[target]) kept[source] = kept[target] = true;
  const way = report.doc.system.ways[state.way];
  const members = new Map<string, number[]>();
  nodes.forEach((node, number) => {
    if (!kept[number]) return;
    const key = groupOf(node, by, report);
    const found = members.get(key);
    if (found) found.push(number);
    else members.set(key, [number]);
  });
  const count = kept.filter(Boolean).length;
  const foldAll = state.fold === "all" || (state.fold === "" && count > FOLD_ABOVE && by !== "none");
  const groups = [...members].map(([key, own]) => {
    const folded = by !== "none" && state.open.includes(key) !== foldAll && !own.some((number) => number === state.node || way?.nodes.includes(number));
    return { key, label: by === "none" ? "" : key, nodes: own, folded };
  });
  return { groups, edges: lines(edges, groups), hidden: nodes.length - count };
}

function lines(edges: EdgeRow[], groups: Group[]): Line[] {
  const ends = new Map<number, string>();
  for (const group of groups) for (const number of group.nodes) ends.set(number, group.folded ? groupId(group) : nodeId(number));
  const found = new Map<string, Line>();
  edges.forEach(([source, target, kind, degree, , , checks], number) => {
    const [from, to] = [ends.get(source), ends.get(target)];
    if (from === undefined || to === undefined || from === to) return;
    const known = found.get(`${from}\n${to}`);
    if (known) {
      known.degree = Math.min(known.degree, degree);
      known.checks += checks.length;
      known.edges.push(number);
      if (!known.words.split(", ").includes(kind)) known.words += `, ${kind}`;
    } else found.set(`${from}\n${to}`, { from, to, degree, checks: checks.length, edges: [number], words: kind });
  });
  return [...found.values()];
}

export const nodeId = (number: number): string => `n${number}`;
export const groupId = (group: Group): string => `g${group.key}`;
