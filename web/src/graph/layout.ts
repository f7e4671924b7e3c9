// Where everything stands: inside each group, then the groups, layer by layer from left to right (dagre); what is not
// tied to the rest is packed into rows, so that a large system stays about as wide as a screen.
import { Graph, layout as dagre } from "./dagre";
import type { Drawn, Group, Line } from "./model";
import { groupId, nodeId } from "./model";

export interface Box {
  id: string;
  x: number; // of the left edge
  y: number; // of the top edge
  width: number;
  height: number;
}

export interface Frame extends Box {
  group: Group;
}

export interface Placed {
  boxes: Map<string, Box>;
  frames: Frame[];
  paths: { line: Line; d: string }[];
  width: number;
  height: number;
}

type Size = { width: number; height: number };
type Tie = [from: string, to: string];

const GAP = 26;
const PADDING = 14;
const HEAD = 24; // the name of a group
const ASPECT = 1.7;

export function layout(drawn: Drawn, sizeOf: (id: string) => Size): Placed {
  const owner = new Map<string, string>();
  const inner = new Map<string, Map<string, Box>>();
  const sizes = new Map<string, Size>();
  for (const group of drawn.groups) {
    const id = groupId(group);
    if (group.folded) sizes.set(id, sizeOf(id));
    else {
      const own = new Set(group.nodes.map(nodeId));
      own.forEach((node) => owner.set(node, id));
      const ties = drawn.edges.filter((line) => own.has(line.from) && own.has(line.to)).map((line): Tie => [line.from, line.to]);
      const boxes = arranged([...own], ties, sizeOf, 1);
      const extent = extentOf(boxes.values());
      inner.set(id, boxes);
      const head = group.label === "" ? 0 : HEAD;
      sizes.set(id, { width: Math.max(extent.width + 2 * PADDING, 120), height: extent.height + 2 * PADDING + head });
    }
  }
  const between = new Map<string, Tie>();
  for (const line of drawn.edges) {
    const tie: Tie = [owner.get(line.from) ?? line.from, owner.get(line.to) ?? line.to];
    if (tie[0] !== tie[1]) between.set(tie.join("\n"), tie);
  }
  const outer = arranged([...sizes.keys()], [...between.values()], (id) => sizes.get(id) ?? { width: 0, height: 0 }, ASPECT);
  return placed(drawn, outer, inner);
}

function placed(drawn: Drawn, outer: Map<string, Box>, inner: Map<string, Map<string, Box>>): Placed {
  const boxes = new Map<string, Box>();
  const frames: Frame[] = [];
  for (const group of drawn.groups) {
    const frame = outer.get(groupId(group));
    if (frame === undefined) continue;
    if (group.folded) boxes.set(frame.id, frame);
    else if (group.label !== "") frames.push({ ...frame, group });
    const head = group.label === "" ? 0 : HEAD;
    for (const box of inner.get(frame.id)?.values() ?? [])
      boxes.set(box.id, { ...box, x: frame.x + PADDING + box.x, y: frame.y + PADDING + head + box.y });
  }
  const paths = drawn.edges.flatMap((line) => {
    const [from, to] = [boxes.get(line.from), boxes.get(line.to)];
    return from && to ? [{ line, d: curve(from, to) }] : [];
  });
  return { boxes, frames, paths, ...extentOf(outer.values()) };
}

// A smooth line from the right side of a box to the left side of another; back, and beside, around the boxes.
export function curve(from: Box, to: Box): string {
  const [y1, y2] = [from.y + from.height / 2, to.y + to.height / 2];
  if (to.x >= from.x + from.width - 4) {
    const [x1, x2] = [from.x + from.width, to.x];
    const bend = Math.max(24, Math.min(160, (x2 - x1) / 2));
    return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  }
  if (to.x + to.width <= from.x + 4) {
    const down = from.y + from.height;
    const [x1, x2] = [from.x + from.width / 2, to.x + to.width / 2];
    const low = Math.max(down, to.y + to.height) + 22;
    return `M${x1} ${down}C${x1} ${low} ${x2} ${low} ${x2} ${to.y + to.height}`;
  }
  const below = to.y > from.y;
  const [x1, x2] = [from.x + from.width / 2 + 18, to.x + to.width / 2 + 18];
  const [top, bottom] = below ? [from.y + from.height, to.y] : [from.y, to.y + to.height];
  const bend = (bottom - top) / 2;
  return `M${x1} ${top}C${x1 + 20} ${top + bend} ${x2 + 20} ${bottom - bend} ${x2} ${bottom}`;
}

// Each connected part by itself, the largest first, then the single boxes as a grid.
export function arranged(ids: string[], ties: Tie[], sizeOf: (id: string) => Size, aspect: number): Map<string, Box> {
  const parts = connected(ids, ties).map((part) => layered(part, ties, sizeOf));
  const whole = parts.filter((part) => part.length > 1).sort((one, other) => area(other) - area(one));
  const single = parts.filter((part) => part.length === 1);
  return new Map(packed([...whole, ...single], aspect).map((box) => [box.id, box]));
}

export function connected(ids: string[], ties: Tie[]): string[][] {
  const near = new Map<string, string[]>(ids.map((id) => [id, []]));
  for (const [from, to] of ties) {
    near.get(from)?.push(to);
    near.get(to)?.push(from);
  }
  const seen = new Set<string>();
  const parts: string[][] = [];
  for (const id of ids) {
    if (seen.has(id)) continue;
    const part = [id];
    seen.add(id);
    for (const one of part)
      for (const other of near.get(one) ?? [])
        if (!seen.has(other)) {
          seen.add(other);
          part.push(other);
        }
    parts.push(part);
  }
  return parts;
}

function layered(part: string[], ties: Tie[], sizeOf: (id: string) => Size): Box[] {
  const own = new Set(part);
  const graph = new Graph();
  graph.setGraph({ rankdir: "LR", nodesep: 16, ranksep: 56, edgesep: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  const leaves = leafBlocks(part, ties);
  const inBlock = new Set([...leaves.values()].flat());
  const blocks = new Map([...leaves].map(([root, members]) => [`block ${root}`, grid(members.map((id) => ({ id, ...sizeOf(id) })))]));
  for (const id of part) if (!inBlock.has(id)) graph.setNode(id, { ...sizeOf(id) });
  for (const [id, boxes] of blocks) graph.setNode(id, { ...extentOf(boxes) });
  for (const [from, to] of ties) {
    if (!own.has(from) || !own.has(to)) continue;
    const end = inBlock.has(to) ? `block ${from}` : to;
    graph.setEdge(from, end);
  }
  dagre(graph);
  const boxes: Box[] = [];
  for (const id of graph.nodes()) {
    const { x, y, width, height } = graph.node(id);
    const corner = { x: x - width / 2, y: y - height / 2 };
    const block = blocks.get(id);
    if (block === undefined) boxes.push({ id, ...corner, width, height });
    else boxes.push(...block.map((box) => ({ ...box, x: corner.x + box.x, y: corner.y + box.y })));
  }
  return boxes;
}

const MANY = 6;

// What only one box leads to, and that leads nowhere, where there is much of it: a grid beside that box, not a tower.
function leafBlocks(part: string[], ties: Tie[]): Map<string, string[]> {
  const into = new Map<string, Set<string>>(part.map((id) => [id, new Set()]));
  const leads = new Set<string>();
  for (const [from, to] of ties) {
    if (from === to || !into.has(from) || !into.has(to)) continue;
    into.get(to)?.add(from);
    leads.add(from);
  }
  const blocks = new Map<string, string[]>();
  for (const id of part) {
    const [root, ...others] = into.get(id) ?? [];
    if (root !== undefined && others.length === 0 && !leads.has(id)) blocks.set(root, [...(blocks.get(root) ?? []), id]);
  }
  return new Map([...blocks].filter(([, members]) => members.length > MANY));
}

function grid(items: (Size & { id: string })[]): Box[] {
  const columns = Math.max(2, Math.round(Math.sqrt(items.length / 2.2)));
  const rows = Math.ceil(items.length / columns);
  const boxes: Box[] = [];
  let x = 0;
  for (let column = 0; column < columns; column += 1) {
    const own = items.slice(column * rows, (column + 1) * rows);
    let y = 0;
    for (const item of own) {
      boxes.push({ ...item, x, y });
      y += item.height + 12;
    }
    x += Math.max(0, ...own.map((item) => item.width)) + 20;
  }
  return boxes;
}

// Parts in rows, about as wide as `aspect` times their height.
export function packed(parts: Box[][], aspect: number): Box[] {
  const total = parts.reduce((sum, part) => sum + area(part), 0);
  const widest = Math.max(0, ...parts.map((part) => extentOf(part).width));
  const limit = Math.max(widest, Math.sqrt(total * aspect) * 1.15);
  const boxes: Box[] = [];
  let [x, y, height] = [0, 0, 0];
  for (const part of parts) {
    const extent = extentOf(part);
    const [left, top] = [Math.min(...part.map((box) => box.x)), Math.min(...part.map((box) => box.y))];
    if (x > 0 && x + extent.width > limit) {
      x = 0;
      y += height + GAP;
      height = 0;
    }
    boxes.push(...part.map((box) => ({ ...box, x: box.x - left + x, y: box.y - top + y })));
    x += extent.width + GAP;
    height = Math.max(height, extent.height);
  }
  return boxes;
}

export function extentOf(boxes: Iterable<Box>): Size {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const box of boxes) {
    left = Math.min(left, box.x);
    top = Math.min(top, box.y);
    right = Math.max(right, box.x + box.width);
    bottom = Math.max(bottom, box.y + box.height);
  }
  return right < left ? { width: 0, height: 0 } : { width: right - left, height: bottom - top };
}

function area(boxes: Box[]): number {
  const { width, height } = extentOf(boxes);
  return (width + GAP) * (height + GAP);
}
