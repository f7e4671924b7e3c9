// The drawing: frames, edges and nodes. One node takes part in the order of the Tab key; arrows go to its neighbours.
import { useEffect, useMemo, useState } from "preact/hooks";
import { DEGREES, SEVERITIES, type Report } from "../data";
import type { State } from "../state";
import { layout, type Box, type Placed } from "./layout";
import { drawn, groupId, nodeId, type Drawn, type Group } from "./model";
import { usePanZoom } from "./panzoom";
import { LABEL, MOST_LINES, Shape, fitted, groupLines, sizeOfGroup, sizeOfNode, worstOf } from "./shapes";

interface Props {
  report: Report;
  state: State;
  set: (change: Partial<State>) => void;
  gaps: number[];
  found: Set<number> | null; // the nodes that a search finds
}

interface Thing {
  id: string;
  box: Box;
  node: number;
  group?: Group;
}

export function Canvas({ report, state, set, gaps, found }: Props) {
  const picture = useMemo(
    () => drawn(report, state),
    [report, state.group, state.scope, state.fold, state.open.join("\n"), state.node, state.way],
  );
  const place = useMemo(() => placedBy(report, picture), [report, drawnAs(picture)]); // a choice moves nothing
  const { surface, eye, fit, zoom, pan, show } = usePanZoom(place);
  const things = useMemo(() => thingsOf(picture, place), [place]);
  const [at, setAt] = useState("");
  const active = things.some((thing) => thing.id === at) ? at : (things[0]?.id ?? "");
  const bright = useMemo(() => brightOf(report, state, picture), [picture, state.node, state.way]);
  useEffect(() => {
    const box = state.node >= 0 ? place.boxes.get(nodeId(state.node)) : undefined;
    if (box !== undefined && !isSeen(box, eye, surface.current)) show(box);
  }, [state.node, place]);

  const choose = (thing: Thing): void => {
    setAt(thing.id);
    if (thing.group) set({ open: toggled(state.open, thing.group.key) });
    else set({ node: thing.node });
  };
  const key = (event: KeyboardEvent): void => {
    const move = ARROWS[event.key];
    const thing = things.find((one) => one.id === active);
    if (event.key === "+" || event.key === "=") zoom(1.25);
    else if (event.key === "-") zoom(0.8);
    else if (event.key === "0") fit(true);
    else if (event.key === "Escape") set({ node: -1, way: -1 });
    else if ((event.key === "Enter" || event.key === " ") && thing) choose(thing);
    else if (move && event.shiftKey) pan(-60 * move[0], -60 * move[1]);
    else if (move && thing) {
      const next = nearest(thing, things, move);
      if (next) {
        setAt(next.id);
        surface.current?.querySelector<SVGElement>(`[data-id="${CSS.escape(next.id)}"]`)?.focus();
        if (!isSeen(next.box, eye, surface.current)) show(next.box);
      }
    } else return;
    event.preventDefault();
  };

  const faint = (thing: Thing): boolean =>
    (bright !== null && !bright.nodes.has(thing.id)) ||
    (found !== null && !(thing.group ? thing.group.nodes.some((one) => found.has(one)) : found.has(thing.node)));
  return (
    <div class="canvas">
      <div class="tools" role="toolbar" aria-label="Zoom">
        <button type="button" onClick={() => zoom(1.25)} aria-label="Zoom in">+</button>
        <button type="button" onClick={() => zoom(0.8)} aria-label="Zoom out">−</button>
        <button type="button" onClick={() => fit(true)}>Fit</button>
      </div>
      <svg
        ref={surface}
        role="group"
        aria-label="The agent system. Arrow keys go from node to node, Enter opens one, plus and minus zoom."
        onKeyDown={key}
      >
        <Markers />
        <g class="eye" transform={`translate(${eye.x} ${eye.y}) scale(${eye.scale})`}>
          {place.frames.map((frame) => (
            <g class="frame" key={frame.id} transform={`translate(${frame.x} ${frame.y})`}>
              <rect width={frame.width} height={frame.height} rx={10} />
              <text x={12} y={18}>{fitted(frame.group.label, frame.width - 20, LABEL, true)}<title>{frame.group.label}</title></text>
            </g>
          ))}
          {place.paths.map(({ line, d }) => (
            <path
              key={`${line.from} ${line.to}`}
              class={`edge degree${line.degree}${bright !== null && !line.edges.some((one) => bright.edges.has(one)) ? " faint" : ""}${
                state.way >= 0 && bright?.edges.has(line.edges[0] ?? -1) ? " onway" : ""}`}
              d={d}
              marker-end="url(#arrow)"
            >
              <title>{`${line.words}, ${DEGREES[line.degree]}`}</title>
            </path>
          ))}
          {place.paths.map(({ line, d }) => line.checks > 0 && <Guard key={`guard ${line.from} ${line.to}`} d={d} checks={line.checks} />)}
          {things.map((thing) => (
            <g
              key={thing.id}
              data-id={thing.id}
              class={`node ${SEVERITIES[severityOf(thing, report)]} ${thing.group ? "folded" : (report.doc.system.nodes[thing.node]?.kind ?? "")}${
                faint(thing) ? " faint" : ""}${!thing.group && thing.node === state.node ? " chosen" : ""}`}
              transform={`translate(${thing.box.x} ${thing.box.y})`}
              role="button"
              tabindex={thing.id === active ? 0 : -1}
              aria-description={describe(thing, report)}
              aria-pressed={thing.group ? undefined : thing.node === state.node}
              aria-expanded={thing.group ? false : undefined}
              onClick={() => choose(thing)}
              onFocus={() => setAt(thing.id)}
            >
              <Inside thing={thing} report={report} gaps={gaps} />
            </g>
          ))}
        </g>
      </svg>
    </div>
  );
}

// What of a picture decides where everything stands.
function drawnAs(picture: Drawn): string {
  return picture.groups.map((group) => `${group.folded}\0${group.key}\0${group.nodes.join()}`).join("\n");
}

function placedBy(report: Report, picture: Drawn): Placed {
  const groups = new Map(picture.groups.map((group) => [groupId(group), group]));
  return layout(picture, (id) => {
    const group = groups.get(id);
    if (group !== undefined) return sizeOfGroup(groupLines(group, report));
    const node = report.doc.system.nodes[Number(id.slice(1))];
    return node === undefined ? { width: 0, height: 0 } : sizeOfNode(node);
  });
}

function thingsOf(picture: Drawn, place: Placed): Thing[] {
  const things: Thing[] = [];
  for (const group of picture.groups) {
    const whole = group.folded ? place.boxes.get(groupId(group)) : undefined;
    if (whole !== undefined) things.push({ id: whole.id, box: whole, node: -1, group });
    else
      for (const node of group.nodes) {
        const box = place.boxes.get(nodeId(node));
        if (box !== undefined) things.push({ id: box.id, box, node });
      }
  }
  return things.sort((one, other) => one.box.y - other.box.y || one.box.x - other.box.x);
}

function Inside({ thing, report, gaps }: { thing: Thing; report: Report; gaps: number[] }) {
  const { nodes, kinds } = report.doc.system;
  if (thing.group) {
    const lines = groupLines(thing.group, report);
    const sum = thing.group.nodes.reduce((all, node) => all + (gaps[node] ?? 0), 0);
    return (
      <Shape box={thing.box} kind="folded" degree={0} severity={worstOf(thing.group, report)} name={thing.group.key}
        words="open ▸" lines={lines.slice(0, 4)} gaps={sum} stacked />
    );
  }
  const node = nodes[thing.node];
  if (node === undefined) return null;
  return (
    <>
      <Shape box={thing.box} kind={node.kind} degree={node.degree} severity={node.severity} name={node.name}
        words={kinds[node.kind] ?? node.kind} lines={node.lines.slice(0, MOST_LINES)} gaps={gaps[thing.node] ?? 0} />
    </>
  );
}

// What a node says beside its own text, which may be cut: its whole name, and where it stands.
function describe(thing: Thing, report: Report): string {
  if (thing.group) return `${thing.group.key}: ${groupLines(thing.group, report).join(", ")}. Enter opens it.`;
  const node = report.doc.system.nodes[thing.node];
  return node === undefined ? "" : `${node.name}, ${report.text(node.path)} line ${node.line}. ${node.lines.join(", ")}`;
}

function severityOf(thing: Thing, report: Report): number {
  return thing.group ? worstOf(thing.group, report) : (report.doc.system.nodes[thing.node]?.severity ?? 0);
}

// A shield in the middle of an edge that something guards.
function Guard({ d, checks }: { d: string; checks: number }) {
  const [x1 = 0, y1 = 0, ...rest] = d.match(/-?[\d.]+(?:e-?\d+)?/g)?.map(Number) ?? [];
  const [x2 = x1, y2 = y1] = rest.slice(-2);
  return (
    <g class="guard" transform={`translate(${(x1 + x2) / 2} ${(y1 + y2) / 2})`}>
      <title>{`${checks} on this edge: see the details of its ends`}</title>
      <path d="M0 -9L8 -6V1C8 6 4 9 0 11C-4 9 -8 6 -8 1V-6Z" />
      <text y={5} text-anchor="middle">{checks}</text>
    </g>
  );
}

function Markers() {
  return (
    <defs>
      <marker id="arrow" viewBox="0 0 8 8" refX={7} refY={4} markerWidth={9} markerHeight={9} markerUnits="userSpaceOnUse" orient="auto-start-reverse">
        <path class="head" d="M0 0L8 4L0 8Z" />
      </marker>
    </defs>
  );
}

// What stays bright: the way that is shown, else the chosen node with its neighbours; null for everything.
function brightOf(report: Report, state: State, picture: Drawn): { nodes: Set<string>; edges: Set<number> } | null {
  const { edges, ways } = report.doc.system;
  const way = ways[state.way];
  const numbers = new Set<number>();
  const bright = new Set<number>();
  if (way !== undefined) {
    way.nodes.forEach((node) => numbers.add(node));
    way.edges.forEach((edge) => bright.add(edge));
  } else if (state.node >= 0) {
    numbers.add(state.node);
    edges.forEach(([source, target], number) => {
      if (source !== state.node && target !== state.node) return;
      numbers.add(source).add(target);
      bright.add(number);
    });
  } else return null;
  const ids = new Set<string>();
  for (const group of picture.groups)
    for (const node of group.nodes) if (numbers.has(node)) ids.add(group.folded ? groupId(group) : nodeId(node));
  return { nodes: ids, edges: bright };
}

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
};

export function nearest(from: Thing, things: Thing[], [x, y]: [number, number]): Thing | undefined {
  const middle = ({ box }: Thing): [number, number] => [box.x + box.width / 2, box.y + box.height / 2];
  const [fromX, fromY] = middle(from);
  let [best, least]: [Thing | undefined, number] = [undefined, Infinity];
  for (const thing of things) {
    const [toX, toY] = middle(thing);
    const along = (toX - fromX) * x + (toY - fromY) * y;
    const across = Math.abs((toX - fromX) * y) + Math.abs((toY - fromY) * x);
    if (along > 1 && along + 2.5 * across < least) [best, least] = [thing, along + 2.5 * across];
  }
  return best;
}

function isSeen(box: Box, eye: { x: number; y: number; scale: number }, surface: SVGSVGElement | null): boolean {
  const room = surface?.getBoundingClientRect();
  if (room === undefined) return true;
  const [left, top] = [box.x * eye.scale + eye.x, box.y * eye.scale + eye.y];
  return left >= 0 && top >= 0 && left + box.width * eye.scale <= room.width && top + box.height * eye.scale <= room.height;
}

export function toggled(list: string[], entry: string): string[] {
  return list.includes(entry) ? list.filter((one) => one !== entry) : [...list, entry];
}
