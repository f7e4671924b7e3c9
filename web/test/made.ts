// Reports made by hand.
import { read, type Document, type Item, type NodeRow, type Report, type Rule } from "../src/data";

export const RULE: Rule = {
  name: "loop-guard", title: "Agent run without a limit", axis: "reliability", group: "reliability", severity: 3, impact: 3, confidence: 0,
  effort: "low", risk: 1, costs: 3.5, applicable: true, judged: 1, unknown: 0, page: [], references: ["CWE-835"],
};

export function item(change: Partial<Item>): Item {
  return {
    index: 0, rule: RULE, outcome: 0, path: "app/agent.py", line: 4, endLine: 4, symbol: "run", reason: "no step limit", risk: 1, severity: 3,
    confidence: 0, degree: 0, framework: "openai", gain: 0.01, fix: "", related: [], node: -1, isNew: false,
    words: "loop-guard app/agent.py run no step limit", ...change,
  };
}

export function node(change: Partial<NodeRow>): NodeRow {
  return {
    kind: "tool", name: "tool", lines: [], path: 0, line: 1, end: 1, framework: 1, part: 2, degree: 0, severity: 0, does: [], checks: [],
    notes: [], ...change,
  };
}

export function report(change: Partial<Document> = {}): Report {
  return read({
    format: 1,
    tool: { name: "agent-architecture", version: "0" },
    overview: {
      name: "made", applicable: true, incomplete: false, health: 0.54, weakest: 0.4, axes: [{ name: "reliability", score: 41, own: 31, applicable: 13, detectors: 16 }],
      files: 3, languages: { python: 3 }, libraries: [["openai", "1", "lock"]], models: [["gpt-5", 1]], parts: [], first: [[0, 2, 0.021]], violations: [],
      reasons: [], changes: null, hidden: 0, notices: [],
    },
    rules: [RULE],
    items: [[0, 0, 0, 4, 4, 3, 4, 1, 3, 0, 0, 1, 0.021, 5, [], 0, 0]],
    system: { kinds: { agent: "agent", tool: "tool", source: "untrusted text" }, nodes: [node({ kind: "agent", name: "clerk", line: 4, severity: 3 })], edges: [], ways: [] },
    code: [[0, [[3, ["before", "the line", "after"]]]]],
    texts: ["app/agent.py", "openai", "", "run", "no step limit", "Runner.run(agent, max_turns=10)"],
    ...change,
  });
}
