// The first screen: what the project is, its scores and what moves them, what to fix first, what has changed.
import type { Axis, Item, Report, Rule } from "./data";
import { toItem } from "./graph/panel";
import { Card, Fix, Prose, Severity, Where, plural, points } from "./parts";
import type { State } from "./state";

interface Props {
  report: Report;
  set: (change: Partial<State>) => void;
}

export function OverviewView({ report, set }: Props) {
  const { overview } = report.doc;
  return (
    <div class="overview">
      <Facts report={report} set={set} />
      {overview.violations.length + overview.reasons.length > 0 && <Policy report={report} />}
      {overview.applicable ? (
        <>
          <Scores report={report} set={set} />
          {overview.changes !== null && <Changed report={report} set={set} />}
          <FirstThings report={report} set={set} />
          <Movers report={report} set={set} />
        </>
      ) : (
        <p class="card">No agent call sites found: not applicable, not a pass.</p>
      )}
      {overview.parts.length > 0 && <Projects rows={overview.parts} set={set} />}
      <Certainty report={report} set={set} />
      {overview.notices.length > 0 && <Notices report={report} />}
    </div>
  );
}

const TILES: [one: string, several: string, kinds: string[]][] = [
  ["agent", "agents", ["agent"]],
  ["run", "runs", ["run", "exported_graph", "loop", "dispatch"]],
  ["tool", "tools", ["tool"]],
  ["MCP server", "MCP servers", ["mcp_server"]],
  ["MCP connection", "MCP connections", ["mcp_client"]],
  ["A2A peer", "A2A peers", ["peer"]],
  ["memory", "memories", ["memory"]],
  ["router", "routers", ["router"]],
];
const FEW = 8; // libraries that are named at once

// The libraries, each once with all of its versions.
function libraries(found: [name: string, version: string, origin: string][]): string[] {
  const versions = new Map<string, Set<string>>();
  for (const [name, version, origin] of found) versions.set(name, (versions.get(name) ?? new Set()).add(`${version} (${origin})`));
  return [...versions].map(([name, all]) => `${name} ${[...all].join(", ")}`);
}

function Facts({ report, set }: Props) {
  const { overview, system } = report.doc;
  const many = (kinds: string[]): number => system.nodes.filter((node) => kinds.includes(node.kind)).length;
  const tiles = TILES.map(([one, several, kinds]) => [many(kinds), many(kinds) === 1 ? one : several] as const).filter(([count]) => count > 0);
  const used = libraries(overview.libraries);
  const doing = new Map<string, number>();
  for (const node of system.nodes)
    if (node.kind === "tool") for (const [words] of node.does) {
      const what = words.replace(/ \(.*/, "");
      doing.set(what, (doing.get(what) ?? 0) + 1);
    }
  const languages = Object.entries(overview.languages).sort((one, other) => other[1] - one[1]).slice(0, 5);
  return (
    <section class="card facts" aria-label="What this project is">
      <ul class="tiles">
        {tiles.map(([count, words]) => (
          <li>
            <strong>{count}</strong> {words}
          </li>
        ))}
        {system.nodes.length > 0 && (
          <li class="wide">
            <button type="button" class="primary" onClick={() => set({ view: "graph" })}>Open the graph</button>
            {system.ways.length > 0 && (
              <button type="button" onClick={() => set({ view: "graph", way: 0 })}>
                {`${plural(system.ways.length, "way")} of untrusted text to an effect`}
              </button>
            )}
          </li>
        )}
      </ul>
      {doing.size > 0 && (
        <p>
          {"What tools do: "}
          {[...doing].sort((one, other) => other[1] - one[1]).map(([what, count]) => `${what} (${count})`).join(", ")}.
        </p>
      )}
      {overview.models.length > 0 && <p>{`Models: ${overview.models.map(([name, count]) => (name === "" ? `chosen elsewhere at ${plural(count, "place")}` : name)).join(", ")}.`}</p>}
      <p class="faint">
        {`${plural(overview.files, "file")} read: ${languages.map(([name, count]) => `${name} ${count}`).join(", ")}. `}
        {used.length > 0 && used.length <= FEW && `Libraries: ${used.join("; ")}.`}
      </p>
      {used.length > FEW && (
        <details class="faint">
          <summary>{`${used.length} libraries`}</summary>
          <p>{used.join("; ")}</p>
        </details>
      )}
    </section>
  );
}

function Policy({ report }: { report: Report }) {
  const { violations, reasons } = report.doc.overview;
  return (
    <Card id="policy" title="Policy">
      <ul>
        {violations.map(([severity, text]) => <li><strong>{severity}</strong> {text}</li>)}
        {reasons.map((reason) => <li><strong>failed</strong> {reason}</li>)}
      </ul>
    </Card>
  );
}

function Scores({ report, set }: Props) {
  const { overview, rules } = report.doc;
  return (
    <section class="card scores" aria-labelledby="scores">
      <h2 id="scores">Scores</h2>
      <div class="health">
        <p class="number">{(100 * overview.health).toFixed(0)}</p>
        <p>health of 100</p>
        <p class="faint">{`weakest axis ${(100 * overview.weakest).toFixed(0)}`}</p>
      </div>
      <ul class="axes">
        {overview.axes.map((axis) => <AxisBar axis={axis} rules={rules} set={set} />)}
      </ul>
      {overview.incomplete && <p>Incomplete: not every detector gave an answer.</p>}
    </section>
  );
}

function AxisBar({ axis, rules, set }: { axis: Axis; rules: Rule[]; set: Props["set"] }) {
  const movers = rules.filter((rule) => rule.axis === axis.name && rule.costs > 0).sort((one, other) => other.costs - one.costs);
  const level = axis.applicable === 0 ? "none" : axis.score < 50 ? "poor" : axis.score < 80 ? "fair" : "fine";
  return (
    <li>
      <button type="button" class="link name" onClick={() => set({ view: "findings", axis: axis.name, rule: "" })}>{axis.name}</button>
      <span class="bar" aria-hidden="true"><span class={level} style={{ width: `${axis.score}%` }} /></span>
      <span class="number">{axis.applicable === 0 ? "n/a" : axis.score.toFixed(1)}</span>
      <span class="faint">
        {`${axis.applicable} of ${axis.detectors} rules applicable`}
        {axis.own !== null && `, ${axis.own.toFixed(1)} over these`}
      </span>
      {movers.length > 0 && (
        <span class="movers">
          {"most: "}
          {movers.slice(0, 2).map((rule, at) => (
            <>
              {at > 0 && ", "}
              <button type="button" class="link" onClick={() => set({ view: "findings", rule: rule.name, axis: "" })}>{rule.name}</button>
              {` −${rule.costs.toFixed(1)}`}
            </>
          ))}
        </span>
      )}
    </li>
  );
}

function FirstThings({ report, set }: Props) {
  const { first } = report.doc.overview;
  if (first.length === 0) return <Card id="first" title="Fix first"><p>Nothing to fix.</p></Card>;
  return (
    <Card id="first" title={report.doc.overview.changes === null ? "Fix first" : "Fix first, of what is new"}>
      <ol class="first">
        {first.map(([at, others, gain]) => {
          const item = report.items[at];
          return item && <FirstThing item={item} others={others} gain={gain} set={set} />;
        })}
      </ol>
    </Card>
  );
}

function FirstThing({ item, others, gain, set }: { item: Item; others: number; gain: number; set: Props["set"] }) {
  return (
    <li>
      <p class="head">
        <Severity level={item.severity} />
        <button type="button" class="link title" onClick={() => set(toItem(item))}><Prose text={item.rule.title} /></button>
        <span class="gain" title="what closing all places of the rule adds to the health, of 100">{`${points(gain)} health`}</span>
      </p>
      <p><Where path={item.path} line={item.line} /> {item.symbol} {others > 0 && <span class="faint">{`and ${plural(others, "more place")} `}</span>}
        {item.node >= 0 && <button type="button" class="link" onClick={() => set({ view: "graph", node: item.node, way: -1 })}>graph</button>}
      </p>
      <p>{item.reason}</p>
      <Fix text={item.fix} />
    </li>
  );
}

function Movers({ report, set }: Props) {
  const costly = report.doc.rules.filter((rule) => rule.costs > 0.005).sort((one, other) => other.costs - one.costs);
  if (costly.length === 0) return null;
  const most = costly[0]?.costs ?? 1;
  const lost = costly.reduce((sum, rule) => sum + rule.costs, 0);
  return (
    <Card id="movers" title={`What moves the health: ${lost.toFixed(0)} points of 100 are lost`}>
      <div class="scroll" tabIndex={0} role="region" aria-labelledby="movers">
        <table class="movers">
          <thead><tr><th scope="col">rule</th><th scope="col">costs</th><th scope="col">risk</th></tr></thead>
          <tbody>
            {costly.map((rule) => (
              <tr>
                <th scope="row"><button type="button" class="link" onClick={() => set({ view: "findings", rule: rule.name, axis: "" })}><Prose text={rule.title || rule.name} /></button> <span class="faint">{rule.axis}</span></th>
                <td class="cost"><span class="bar" aria-hidden="true"><span style={{ width: `${(100 * rule.costs) / most}%` }} /></span>{rule.costs.toFixed(1)}</td>
                <td><Severity level={rule.severity} /> {rule.risk.toFixed(2)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

function Changed({ report, set }: Props) {
  const changes = report.doc.overview.changes;
  if (changes === null) return null;
  const value = (number: number | null): string => (number === null ? "none" : number.toPrecision(4));
  return (
    <Card id="changes" title={`Since the baseline (${changes.before})`}>
      {changes.remarks.map((remark) => <p>{remark}</p>)}
      <ul>
        {changes.scores.map(([key, before, after, better]) => (
          <li>{`${key}: ${value(before)} → ${value(after)}${better === null ? "" : better ? ", better" : ", worse"}`}</li>
        ))}
        <li>
          {changes.new > 0 ? <button type="button" class="link" onClick={() => set({ view: "findings", fresh: true })}>{plural(changes.new, "new gap")}</button> : "no new gap"}
          {`, ${plural(changes.fixed.length, "fixed gap")}`}
        </li>
        {changes.grown.map(([name, more]) => <li>{`${report.text(name)}: now ${report.text(more)}`}</li>)}
        {changes.parts.map(([mark, kind, name, path, line, detail]) => (
          <li>{`${mark} ${kind} ${report.text(name)} `}<Where path={report.text(path)} line={line} />{` ${report.text(detail)}`}</li>
        ))}
      </ul>
      {changes.fixed.length > 0 && (
        <details>
          <summary>What was fixed</summary>
          <ul>{changes.fixed.map(([, path, line, message]) => <li><Where path={report.text(path)} line={line} /> {report.text(message)}</li>)}</ul>
        </details>
      )}
    </Card>
  );
}

function Projects({ rows, set }: { rows: string[][]; set: Props["set"] }) {
  const [head, ...others] = rows;
  return (
    <Card id="projects" title="Projects">
      <div class="scroll" tabIndex={0} role="region" aria-labelledby="projects">
        <table>
          <thead><tr>{head?.map((cell) => <th scope="col">{cell}</th>)}</tr></thead>
          <tbody>
            {others.map(([name = "", ...cells], at) => (
              <tr>
                <th scope="row">
                  {at === others.length - 1 ? name : <button type="button" class="link" onClick={() => set({ view: "graph", scope: name, group: "file" })}>{name}</button>}
                </th>
                {cells.map((cell) => <td>{cell}</td>)}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

function Certainty({ report, set }: Props) {
  const { rules, overview } = report.doc;
  const applicable = rules.filter((rule) => rule.applicable);
  const [judged, unknown] = [applicable.reduce((sum, rule) => sum + rule.judged, 0), applicable.reduce((sum, rule) => sum + rule.unknown, 0)];
  return (
    <Card id="certainty" title="What was judged">
      <p>
        {`${applicable.length} of ${rules.length} rules had something to judge: ${plural(judged, "verdict")}. `}
        {unknown > 0 && <button type="button" class="link" onClick={() => set({ view: "findings", show: ["unknown"] })}>{`${plural(unknown, "subject")} cannot be read`}</button>}
        {unknown > 0 && " without running the program; they count neither for nor against."}
      </p>
      {overview.hidden > 0 && <p>{`Not shown, but counted in the scores: ${overview.hidden} (suppressed, or left out by flags).`}</p>}
    </Card>
  );
}

function Notices({ report }: { report: Report }) {
  const { notices } = report.doc.overview;
  return (
    <Card id="notices" title={`Notices (${notices.length})`}>
      <details>
        <summary>What was skipped, partly read, or noticed</summary>
        <ul>
          {notices.map(([path, line, message]) => <li><Where path={report.text(path)} line={line} /> <Prose text={report.text(message)} /></li>)}
        </ul>
      </details>
    </Card>
  );
}
