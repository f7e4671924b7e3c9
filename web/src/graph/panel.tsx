// Beside the drawing: the chosen node with its code and verdicts, the way that is shown, or a list of all nodes.
import { DEGREES, OUTCOMES, type CheckRow, type Item, type NodeRow, type Report } from "../data";
import { Excerpt, Severity, Where, plural } from "../parts";
import type { State } from "../state";

interface Props {
  report: Report;
  state: State;
  set: (change: Partial<State>) => void;
  byNode: Map<number, Item[]>;
  found: number[];
}

export function Panel(props: Props) {
  const { report, state } = props;
  const node = report.doc.system.nodes[state.node];
  return (
    <aside class="panel" aria-label="Details">
      {state.way >= 0 && <WaySteps {...props} />}
      {node === undefined ? <NodeList {...props} /> : <NodeDetails {...props} node={node} />}
    </aside>
  );
}

function NodeList({ report, set, found, byNode }: Props) {
  const { nodes, kinds } = report.doc.system;
  return (
    <>
      <h2>{plural(found.length, "node")}</h2>
      <ul class="nodes">
        {found.slice(0, 200).map((number) => {
          const node = nodes[number];
          if (node === undefined) return null;
          const gaps = (byNode.get(number) ?? []).filter((item) => item.outcome < 2).length;
          return (
            <li key={number}>
              <button type="button" class="row" onClick={() => set({ node: number })}>
                <span class="name">{node.name}</span>
                <span class="faint">{kinds[node.kind]}</span>
                {gaps > 0 && <Severity level={node.severity} />}
              </button>
            </li>
          );
        })}
      </ul>
      {found.length > 200 && <p class="faint">{found.length - 200} more: search for them above.</p>}
    </>
  );
}

function NodeDetails({ report, state, set, byNode, node }: Props & { node: NodeRow }) {
  const own = byNode.get(state.node) ?? [];
  const path = report.text(node.path);
  return (
    <>
      <button type="button" class="close" aria-label="Close the details" onClick={() => set({ node: -1 })}>✕</button>
      <p class="faint">{`${report.doc.system.kinds[node.kind]} · ${report.text(node.framework) || "by hand"} · ${DEGREES[node.degree]}`}</p>
      <h2>{node.name}</h2>
      <p>
        <Severity level={node.severity} /> <Where path={path} line={node.line} />
      </p>
      {[...node.notes].map((note) => <p>{note}</p>)}
      <Excerpt report={report} path={path} line={node.line} end={node.end} />
      {node.does.length > 0 && (
        <>
          <h3>What it does</h3>
          <ul>
            {node.does.map(([words, who, symbol, at, line]) => (
              <li>
                {`${words}: `}<code>{symbol}</code>{`, ${who}, `}<Where path={report.text(at)} line={line} />
              </li>
            ))}
          </ul>
        </>
      )}
      <Checks report={report} title="Guards and approvals" checks={node.checks} />
      <Ties report={report} state={state} set={set} />
      <h3>{`Verdicts here (${own.length})`}</h3>
      {own.length === 0 && <p class="faint">None.</p>}
      <ul class="verdicts">
        {own.map((item) => (
          <li key={item.index}>
            {item.outcome < 2 ? <Severity level={item.severity} /> : <span class={`outcome ${OUTCOMES[item.outcome]}`}>{OUTCOMES[item.outcome]}</span>}{" "}
            <button type="button" class="link" onClick={() => set(toItem(item))}>{item.rule.title || item.rule.name}</button>
            <p>{item.reason}</p>
          </li>
        ))}
      </ul>
    </>
  );
}

export function toItem(item: Item): Partial<State> {
  const show = ["gaps", "gaps", "controlled", "unknown"][item.outcome] ?? "gaps";
  return { view: "findings", rule: item.rule.name, item: item.index, show: [...new Set(["gaps", show])], text: "", file: "", axis: "",
    severity: [], confidence: [], framework: "", fresh: false };
}

function Ties({ report, state, set }: Pick<Props, "report" | "state" | "set">) {
  const { edges, nodes } = report.doc.system;
  const own = edges.filter(([source, target]) => source === state.node || target === state.node);
  if (own.length === 0) return null;
  return (
    <>
      <h3>Edges</h3>
      <ul class="ties">
        {own.map(([source, target, kind, degree, , , checks]) => {
          const other = source === state.node ? target : source;
          const name = nodes[other]?.name ?? "";
          return (
            <li>
              {source === state.node ? `${kind} ` : ""}
              <button type="button" class="link" onClick={() => set({ node: other })}>{name}</button>
              {source === state.node ? "" : ` ${kind} this`}
              <span class="faint">{` ${DEGREES[degree]}`}</span>
              {checks.map(([words, blocks]) => (
                <p class={blocks ? "check holds" : "check open"}>{`${blocks ? "✓ guarded:" : "△ not firmly:"} ${words}`}</p>
              ))}
            </li>
          );
        })}
      </ul>
    </>
  );
}

function Checks({ report, title, checks }: { report: Report; title: string; checks: CheckRow[] }) {
  if (checks.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {checks.map(([words, blocks, path, line]) => (
          <li class={blocks ? "check holds" : "check open"}>
            {`${blocks ? "✓" : "△"} ${words} `}
            {path >= 0 && <Where path={report.text(path)} line={line} />}
          </li>
        ))}
      </ul>
    </>
  );
}

function WaySteps({ report, state, set }: Props) {
  const { ways, nodes } = report.doc.system;
  const way = ways[state.way];
  if (way === undefined) return null;
  const [words, who, symbol, path, line] = way.does;
  const step = (by: number): void => set({ way: (state.way + by + ways.length) % ways.length, node: -1 });
  return (
    <div class="way">
      <h2>{`Untrusted text, way ${state.way + 1} of ${ways.length}`}</h2>
      <p class="buttons">
        <button type="button" onClick={() => step(-1)}>◂ Previous</button>
        <button type="button" onClick={() => step(1)}>Next ▸</button>
        <button type="button" onClick={() => set({ way: -1 })}>Close</button>
      </p>
      <ol>
        <li>
          {`${way.origins.join("; ")}: comes in at `}
          <Where path={report.text(way.path)} line={way.line} />
        </li>
        {way.nodes.map((number) => (
          <li>
            <button type="button" class="link" onClick={() => set({ node: number })}>{nodes[number]?.name}</button>
            <span class="faint">{` ${report.doc.system.kinds[nodes[number]?.kind ?? ""] ?? ""}`}</span>
          </li>
        ))}
        <li>
          <strong>{words}</strong>{" by "}<code>{symbol}</code>{`: ${who}, at `}<Where path={report.text(path)} line={line} />
        </li>
      </ol>
      {way.checks.length === 0 ? <p class="check open">△ Nothing stands on this way.</p> : <Checks report={report} title="On this way" checks={way.checks} />}
      <Excerpt report={report} path={report.text(path)} line={line} end={line} />
    </div>
  );
}
