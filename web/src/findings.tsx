// Every verdict as a list with filters; what is chosen stands in the address, so that it can be sent to somebody.
import { useDeferred } from "./deferred";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { CONFIDENCES, DEGREES, OUTCOMES, SEVERITIES, type Item, type Report } from "./data";
import { toggled } from "./graph/canvas";
import { Excerpt, Fix, Prose, Severity, Where, plural } from "./parts";
import { SHOWN, UNFILTERED, matches, type State } from "./state";

interface Props {
  report: Report;
  state: State;
  set: (change: Partial<State>) => void;
}

const PAGE = 100; // rows that are shown before somebody asks for more

export function FindingsView({ report, state, set }: Props) {
  const text = useDeferred(state.text);
  const shown = useMemo(
    () => report.items.filter((item) => matches(item, { ...state, text })),
    [report, text, state.axis, state.rule, state.severity, state.confidence, state.framework, state.file, state.show, state.fresh],
  );
  const [most, setMost] = useState(PAGE);
  useEffect(() => setMost(PAGE), [shown]);
  const at = shown.findIndex((item) => item.index === state.item);
  const rows = shown.slice(0, Math.max(most, at + 1));
  return (
    <div class="findings">
      <Filters report={report} state={state} set={set} />
      <p class="count" role="status">
        {`${shown.length} of ${plural(report.items.length, "verdict")}`}
        {" in "}
        {plural(new Set(shown.map((item) => item.path)).size, "file")}
      </p>
      {shown.length === 0 && <p class="card">Nothing matches these filters.</p>}
      <ul class="items">
        {rows.map((item) => <Row key={item.index} item={item} report={report} set={set} open={item.index === state.item} />)}
      </ul>
      {rows.length < shown.length && (
        <p>
          <button type="button" onClick={() => setMost(most + 5 * PAGE)}>{`Show more (${shown.length - rows.length} left)`}</button>
        </p>
      )}
    </div>
  );
}

function Filters({ report, state, set }: Props) {
  const rules = useMemo(() => usedRules(report.items), [report]);
  const frameworks = useMemo(() => [...new Set(report.items.map((item) => item.framework || "by hand"))].sort(), [report]);
  const axes = useMemo(() => [...new Set(rules.map((item) => item.axis))].sort(), [rules]);
  const change = (part: Partial<State>): void => set({ item: -1, ...part });
  return (
    <form class="filters" role="search" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <label>
        Text
        <input type="search" name="text" value={state.text} placeholder="words of reason, rule, place" onInput={(event) => change({ text: event.currentTarget.value })} />
      </label>
      <label>
        File
        <input type="search" name="file" value={state.file} placeholder="part of a path" onInput={(event) => change({ file: event.currentTarget.value })} />
      </label>
      <Select label="Axis" name="axis" value={state.axis} values={axes} change={(axis) => change({ axis, rule: "" })} />
      <Select label="Rule" name="rule" value={state.rule} change={(rule) => change({ rule })}
        values={rules.filter((rule) => state.axis === "" || rule.axis === state.axis).map((rule) => rule.name)} />
      <Select label="Framework" name="framework" value={state.framework} values={frameworks} change={(framework) => change({ framework })} />
      <Boxes label="Severity" values={[...SEVERITIES].slice(1).reverse()} chosen={state.severity} change={(severity) => change({ severity })} />
      <Boxes label="Confidence" values={[...CONFIDENCES]} chosen={state.confidence} change={(confidence) => change({ confidence })} />
      <Boxes label="Show" values={[...SHOWN]} chosen={state.show} change={(show) => change({ show })} />
      {report.doc.overview.changes !== null && (
        <fieldset>
          <legend>Baseline</legend>
          <label class="box"><input type="checkbox" checked={state.fresh} onChange={() => change({ fresh: !state.fresh })} /> new only</label>
        </fieldset>
      )}
      <button type="button" onClick={() => set(UNFILTERED)}>Reset</button>
    </form>
  );
}

function usedRules(items: Item[]): Item["rule"][] {
  return [...new Set(items.map((item) => item.rule))].sort((one, other) => (one.name < other.name ? -1 : 1));
}

function Select({ label, name, value, values, change }: { label: string; name: string; value: string; values: string[]; change: (value: string) => void }) {
  return (
    <label>
      {label}
      <select name={name} value={value} onChange={(event) => change(event.currentTarget.value)}>
        <option value="">all</option>
        {values.map((one) => <option value={one}>{one}</option>)}
      </select>
    </label>
  );
}

function Boxes({ label, values, chosen, change }: { label: string; values: string[]; chosen: string[]; change: (chosen: string[]) => void }) {
  return (
    <fieldset>
      <legend>{label}</legend>
      {values.map((value) => (
        <label class="box">
          <input type="checkbox" name={`${label.toLowerCase()}-${value}`} checked={chosen.includes(value)} onChange={() => change(toggled(chosen, value))} />
          {` ${value}`}
        </label>
      ))}
    </fieldset>
  );
}

function Row({ item, report, set, open }: { item: Item; report: Report; set: Props["set"]; open: boolean }) {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (open) row.current?.scrollIntoView?.({ block: "nearest" });
  }, [open]);
  return (
    <li ref={row} class={open ? "item open" : "item"}>
      <button type="button" class="summary" aria-expanded={open} onClick={() => set({ item: open ? -1 : item.index })}>
        <span class="mark">{item.outcome < 2 ? <Severity level={item.severity} /> : <span class={`outcome ${OUTCOMES[item.outcome]}`}>{OUTCOMES[item.outcome]}</span>}</span>
        <span class="told">
          <span class="reason">{item.isNew && <strong class="new">new </strong>}{item.reason}</span>
          <span class="faint"><Where path={item.path} line={item.line} />{` ${item.symbol} · ${item.rule.name}`}</span>
        </span>
      </button>
      {open && <Details item={item} report={report} set={set} />}
    </li>
  );
}

function Details({ item, report, set }: { item: Item; report: Report; set: Props["set"] }) {
  const { rule } = item;
  return (
    <div class="details">
      <Excerpt report={report} path={item.path} line={item.line} end={item.endLine} />
      {item.related.length > 0 && (
        <p>{"See also "}{item.related.map((place, at) => <>{at > 0 && ", "}<Where path={place.path} line={place.line} /></>)}</p>
      )}
      {item.fix !== "" && <Fix text={item.fix} />}
      <dl>
        <dt>risk</dt><dd>{item.outcome === 3 ? "unknown" : item.risk.toFixed(2)}</dd>
        <dt>confidence</dt><dd>{CONFIDENCES[item.confidence]}</dd>
        <dt>evidence</dt><dd>{DEGREES[item.degree]}</dd>
        <dt>framework</dt><dd>{item.framework || "by hand"}</dd>
        <dt>axis</dt><dd>{rule.axis}</dd>
        <dt>effort</dt><dd>{rule.effort}</dd>
      </dl>
      {item.node >= 0 && <button type="button" onClick={() => set({ view: "graph", node: item.node, way: -1 })}>Show it in the graph</button>}
      <details class="page" open>
        <summary><Prose text={rule.title} /></summary>
        {rule.page.map((number) => <p><Prose text={report.text(number)} /></p>)}
        {rule.references.length > 0 && <p class="faint">{`References: ${rule.references.join(", ")}`}</p>}
        <p class="faint">{"More: "}<code>{`agent-architecture explain ${rule.name}`}</code></p>
      </details>
    </div>
  );
}
