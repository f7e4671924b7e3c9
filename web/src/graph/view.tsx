// The graph: what is drawn, how it is put together, and what is looked for in it.
import { useMemo } from "preact/hooks";
import type { Item, Report } from "../data";
import type { State } from "../state";
import { Canvas } from "./canvas";
import { FOLD_ABOVE, scopes, usualGroup } from "./model";
import { Panel } from "./panel";
import { outline } from "./shapes";

interface Props {
  report: Report;
  state: State;
  set: (change: Partial<State>) => void;
}

export function GraphView({ report, state, set }: Props) {
  const { nodes, ways } = report.doc.system;
  const byNode = useMemo(() => itemsByNode(report.items), [report]);
  const gaps = useMemo(() => nodes.map((_, number) => (byNode.get(number) ?? []).filter((item) => item.outcome < 2).length), [byNode]);
  const found = useMemo(() => search(report, state.find), [report, state.find]);
  const all = useMemo(() => scopes(report), [report]);
  if (nodes.length === 0) return <p class="card">There is nothing to draw: no agent, tool, server or run was found.</p>;
  const isFolded = state.fold === "all" || (state.fold === "" && nodes.length > FOLD_ABOVE);
  return (
    <div class="graph">
      <form class="filters" role="search" aria-label="What is drawn" onSubmit={(event) => event.preventDefault()}>
        <label>
          Search
          <input type="search" name="find" value={state.find} placeholder="name, file, library"
            onInput={(event) => set({ find: event.currentTarget.value })} />
        </label>
        <label>
          Group by
          <select name="group" value={state.group || usualGroup(report)}
            onChange={(event) => set({ group: event.currentTarget.value, open: [] })}>
            <option value="file">file</option>
            <option value="project">{report.doc.overview.parts.length > 0 ? "project" : "folder"}</option>
            <option value="framework">framework</option>
            <option value="none">nothing</option>
          </select>
        </label>
        {all.length > 1 && (
          <label>
            Show
            <select name="scope" value={state.scope} onChange={(event) => set({ scope: event.currentTarget.value, open: [], node: -1 })}>
              <option value="">{`everything (${nodes.length})`}</option>
              {all.map(([name, count]) => <option value={name}>{`${name} (${count})`}</option>)}
            </select>
          </label>
        )}
        <span class="buttons">
          <button type="button" onClick={() => set({ fold: "all", open: [], node: -1, way: -1 })}>Fold all</button>
          <button type="button" onClick={() => set({ fold: "none", open: [] })}>Open all</button>
          {ways.length > 0 && (
            <button type="button" class="primary" onClick={() => set({ way: state.way < 0 ? 0 : -1, node: -1 })} aria-pressed={state.way >= 0}>
              {`Untrusted text to effects (${ways.length})`}
            </button>
          )}
        </span>
      </form>
      <div class="stage">
        <Canvas report={report} state={state} set={set} gaps={gaps} found={state.find === "" ? null : new Set(found)} />
        <Panel report={report} state={state} set={set} byNode={byNode} found={found} />
      </div>
      <Legend kinds={report.doc.system.kinds} used={new Set(nodes.map((node) => node.kind))} folded={isFolded} />
    </div>
  );
}

export function itemsByNode(items: Item[]): Map<number, Item[]> {
  const found = new Map<number, Item[]>();
  for (const item of items)
    if (item.node >= 0) {
      const own = found.get(item.node);
      if (own) own.push(item);
      else found.set(item.node, [item]);
    }
  return found;
}

// The nodes in which all words occur, the gravest first.
export function search(report: Report, text: string): number[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const { nodes, kinds } = report.doc.system;
  return nodes
    .map((node, number) => ({
      number,
      severity: node.severity,
      words: `${node.name} ${kinds[node.kind]} ${report.text(node.path)} ${report.text(node.framework)} ${node.lines.join(" ")}`.toLowerCase(),
    }))
    .filter((one) => words.every((word) => one.words.includes(word)))
    .sort((one, other) => other.severity - one.severity || one.number - other.number)
    .map((one) => one.number);
}

function Legend({ kinds, used, folded }: { kinds: Record<string, string>; used: Set<string>; folded: boolean }) {
  return (
    <ul class="legend" aria-label="Legend">
      {Object.entries(kinds).filter(([kind]) => used.has(kind)).map(([kind, words]) => (
        <li>
          <svg viewBox="-3 -5 106 56" width="36" height="20" aria-hidden="true"><path class="kind" d={outline(kind, 100, 46)} /></svg>
          {words}
        </li>
      ))}
      {["resolved", "inferred", "guessed"].map((word, degree) => (
        <li>
          <svg viewBox="0 0 34 10" width="34" height="10" aria-hidden="true"><path class={`edge degree${degree}`} d="M0 5H34" /></svg>
          {word}
        </li>
      ))}
      <li>
        <svg viewBox="-10 -11 20 24" width="18" height="22" aria-hidden="true"><path class="shield" d="M0 -9L8 -6V1C8 6 4 9 0 11C-4 9 -8 6 -8 1V-6Z" /></svg>
        guards on an edge
      </li>
      {folded && <li>Each box with a shadow holds several nodes: click to open it.</li>}
    </ul>
  );
}
