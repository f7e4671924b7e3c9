// What the page shows, as the fragment of its address: a link to the file with a fragment shows the same to others.
import { CONFIDENCES, SEVERITIES, type Item } from "./data";

export type View = "overview" | "graph" | "findings";
export type Theme = "auto" | "light" | "dark";
export const VIEWS: View[] = ["overview", "graph", "findings"];
export const SHOWN = ["gaps", "controlled", "unknown"] as const;

export interface State {
  view: View;
  theme: Theme;
  axis: string;
  rule: string;
  severity: string[];
  confidence: string[];
  framework: string;
  file: string;
  text: string;
  show: string[];
  fresh: boolean;
  item: number;
  node: number;
  group: string;
  scope: string;
  fold: string; // all, none, or what suits the size
  open: string[]; // the groups that are not as the others are
  find: string;
  way: number;
}

export const START: State = {
  view: "overview",
  theme: "auto",
  axis: "",
  rule: "",
  severity: [],
  confidence: [],
  framework: "",
  file: "",
  text: "",
  show: ["gaps"],
  fresh: false,
  item: -1,
  node: -1,
  group: "",
  scope: "",
  fold: "",
  open: [],
  find: "",
  way: -1,
};

export function toFragment(state: State): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(state)) {
    const usual = START[key as keyof State];
    if (Array.isArray(value)) {
      if (value.join("\n") !== (usual as string[]).join("\n")) parameters.set(key, value.join("\n"));
    } else if (value !== usual) parameters.set(key, String(value));
  }
  const text = parameters.toString();
  return text === "" ? "" : `#${text}`;
}

// What a fragment says; what it says wrongly is as if it were not there.
export function fromFragment(fragment: string): State {
  const parameters = new URLSearchParams(fragment.replace(/^#/, ""));
  const state: Record<string, unknown> = { ...START };
  for (const [key, value] of parameters) {
    const usual = START[key as keyof State];
    if (usual === undefined || !Object.hasOwn(START, key)) continue;
    if (Array.isArray(usual)) state[key] = value === "" ? [] : value.split("\n");
    else if (typeof usual === "number") state[key] = /^\d{1,7}$/.test(value) ? Number(value) : usual;
    else if (typeof usual === "boolean") state[key] = value === "true";
    else state[key] = value;
  }
  const made = state as unknown as State;
  if (!VIEWS.includes(made.view)) made.view = "overview";
  if (!["auto", "light", "dark"].includes(made.theme)) made.theme = "auto";
  return made;
}

const KIND = [0, 0, 1, 2]; // which of SHOWN an outcome belongs to

export function matches(item: Item, state: State): boolean {
  return (
    state.show.includes(SHOWN[KIND[item.outcome] ?? 0] ?? "gaps") &&
    (state.axis === "" || item.rule.axis === state.axis) &&
    (state.rule === "" || item.rule.name === state.rule) &&
    (state.framework === "" || (item.framework || "by hand") === state.framework) &&
    (state.file === "" || item.path.includes(state.file)) &&
    (!state.fresh || item.isNew) &&
    (state.severity.length === 0 || state.severity.includes(SEVERITIES[item.severity] ?? "")) &&
    (state.confidence.length === 0 || state.confidence.includes(CONFIDENCES[item.confidence] ?? "")) &&
    (state.text === "" || state.text.toLowerCase().split(/\s+/).every((word) => item.words.includes(word)))
  );
}

// The filters alone, as they are at the start.
export const UNFILTERED: Partial<State> = {
  axis: "", rule: "", severity: [], confidence: [], framework: "", file: "", text: "", show: ["gaps"], fresh: false, item: -1,
};
