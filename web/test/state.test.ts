import assert from "node:assert/strict";
import test from "node:test";
import { fromFragment, matches, START, toFragment } from "../src/state";
import { item } from "./made";

test("what is shown comes back from its fragment, whatever a user typed", () => {
  const state = { ...START, view: "findings" as const, text: "a&b=c #<x> ü", severity: ["high", "low"], item: 12, show: [], open: ["a/b", "c,d"] };
  assert.deepEqual(fromFragment(toFragment(state)), state);
});

test("the start has no fragment", () => {
  assert.equal(toFragment(START), "");
  assert.deepEqual(fromFragment(""), START);
});

test("a fragment that says nonsense is as none", () => {
  assert.deepEqual(fromFragment("#view=%00&theme=pink&item=-1&node=x&__proto__=1&toString=2&unknown=3"), START);
});

test("each filter leaves out what it does not name", () => {
  const found = item({});
  assert.ok(matches(found, START));
  for (const change of [
    { axis: "safety" }, { rule: "other" }, { framework: "mcp" }, { file: "elsewhere" }, { text: "limit nothing" },
    { severity: ["low"] }, { confidence: ["low"] }, { show: ["controlled"] }, { fresh: true },
  ])
    assert.ok(!matches(found, { ...START, ...change }), JSON.stringify(change));
  for (const change of [
    { axis: "reliability" }, { rule: "loop-guard" }, { framework: "openai" }, { file: "app/" }, { text: "STEP agent.py" },
    { severity: ["high"] }, { confidence: ["high"] },
  ])
    assert.ok(matches(found, { ...START, ...change }), JSON.stringify(change));
});

test("code without a library is found as written by hand", () => {
  assert.ok(matches(item({ framework: "" }), { ...START, framework: "by hand" }));
});

test("controlled and unknown subjects are shown when asked for", () => {
  assert.ok(!matches(item({ outcome: 2 }), START));
  assert.ok(matches(item({ outcome: 2 }), { ...START, show: ["controlled"] }));
  assert.ok(matches(item({ outcome: 3 }), { ...START, show: ["unknown"] }));
});
