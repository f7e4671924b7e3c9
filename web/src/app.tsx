// The page: its head, and the view that is chosen. All state is the fragment of the address.
import { useCallback, useEffect, useState } from "preact/hooks";
import type { Report } from "./data";
import { FindingsView } from "./findings";
import { GraphView } from "./graph/view";
import { OverviewView } from "./overview";
import { VIEWS, fromFragment, toFragment, type State, type Theme, type View } from "./state";

const TITLES: Record<View, string> = { overview: "Overview", graph: "Graph", findings: "Findings" };
const THEMES: Record<Theme, Theme> = { auto: "dark", dark: "light", light: "auto" };

export function App({ report }: { report: Report }) {
  const [state, setState] = useState<State>(() => fromFragment(location.hash));
  useEffect(() => {
    const follow = (): void => setState(fromFragment(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  useEffect(() => {
    if (state.theme === "auto") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = state.theme;
  }, [state.theme]);
  const set = useCallback((change: Partial<State>): void => {
    setState((before) => {
      const after = { ...before, ...change };
      const address = toFragment(after) || "#";
      if (after.view !== before.view) {
        history.pushState(null, "", address);
        scrollTo(0, 0);
      } else history.replaceState(null, "", address);
      return after;
    });
  }, []);
  const { overview, tool } = report.doc;
  const gaps = report.items.filter((item) => item.outcome < 2).length;
  return (
    <>
      <header>
        <h1>{overview.name}</h1>
        <nav aria-label="Views">
          {VIEWS.map((view) => (
            <button type="button" aria-current={state.view === view ? "page" : undefined} onClick={() => set({ view })}>
              {view === "findings" ? `${TITLES[view]} ${gaps}` : TITLES[view]}
            </button>
          ))}
        </nav>
        <button type="button" class="theme" onClick={() => set({ theme: THEMES[state.theme] })}>{`Theme: ${state.theme}`}</button>
      </header>
      <main>
        {state.view === "overview" && <OverviewView report={report} set={set} />}
        {state.view === "graph" && <GraphView report={report} state={state} set={set} />}
        {state.view === "findings" && <FindingsView report={report} state={state} set={set} />}
      </main>
      <footer>{`${tool.name} ${tool.version}. Read, never run. This file fetches nothing.`}</footer>
    </>
  );
}
