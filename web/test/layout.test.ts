import assert from "node:assert/strict";
import test from "node:test";
import { arranged, connected, curve, extentOf, layout, packed, type Box } from "../src/graph/layout";
import { drawn } from "../src/graph/model";
import { START } from "../src/state";
import { node, report } from "./made";

const size = () => ({ width: 100, height: 40 });

function overlap(boxes: Box[]): string[] {
  return boxes.flatMap((one, at) =>
    boxes.slice(at + 1).filter((other) => one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height)
      .map((other) => `${one.id} and ${other.id}`));
}

const STAR = Array.from({ length: 40 }, (_, at): [string, string] => ["root", `leaf${at}`]);
const CHAIN: [string, string][] = [["a", "b"], ["b", "c"], ["c", "a"], ["x", "y"]];

test("no box lies on another one, in stars, circles and lonely boxes", () => {
  for (const ties of [STAR, CHAIN, []]) {
    const ids = [...new Set([...ties.flat(), ...Array.from({ length: 20 }, (_, at) => `lonely${at}`)])];
    const boxes = [...arranged(ids, ties, size, 1.6).values()];
    assert.equal(boxes.length, ids.length);
    assert.deepEqual(overlap(boxes), []);
  }
});

test("what is called stands to the right of who calls it", () => {
  const boxes = arranged(["a", "b", "c"], [["a", "b"], ["b", "c"]], size, 1.6);
  assert.ok((boxes.get("a")?.x ?? 0) < (boxes.get("b")?.x ?? 0));
  assert.ok((boxes.get("b")?.x ?? 0) < (boxes.get("c")?.x ?? 0));
});

test("many leaves of one box are a grid, not a tower", () => {
  const { width, height } = extentOf(arranged([...new Set(STAR.flat())], STAR, size, 1.6).values());
  assert.ok(height < 2.5 * width, `${width} × ${height}`);
});

test("parts that nothing ties keep about to the wanted proportion", () => {
  const parts = Array.from({ length: 60 }, (_, at) => [{ id: `${at}`, x: 0, y: 0, ...size() }]);
  const { width, height } = extentOf(packed(parts, 1.6));
  assert.ok(width / height > 0.9 && width / height < 3, `${width} × ${height}`);
});

test("connected parts are found whatever the direction of an edge", () => {
  assert.deepEqual(connected(["a", "b", "c", "d"], [["c", "a"], ["b", "d"]]), [["a", "c"], ["b", "d"]]);
});

test("a line ends at the box that it leads to", () => {
  const [from, to] = [{ id: "a", x: 0, y: 0, ...size() }, { id: "b", x: 300, y: 200, ...size() }];
  assert.match(curve(from, to), /^M100 20.* 300 220$/);
  assert.match(curve(to, from), /^M350 240.* 50 40$/);
});

const nodes = [node({ kind: "agent", name: "clerk" }), node({ name: "tool", path: 3 }), node({ name: "other", path: 3 })];
const edges: [number, number, string, number, number, number, []][] = [[0, 1, "calls", 1, 0, 1, []], [0, 2, "calls", 2, 0, 1, []]];
const made = report({ system: { kinds: { agent: "agent", tool: "tool" }, nodes, edges, ways: [] } });

test("a folded file is one box, and its edges are one, known as the surest is", () => {
  const picture = drawn(made, { ...START, fold: "all" });
  assert.deepEqual(picture.groups.map((group) => [group.key, group.folded]), [["app/agent.py", true], ["run", true]]);
  assert.deepEqual(picture.edges.map((line) => [line.from, line.to, line.degree, line.edges]), [["gapp/agent.py", "grun", 1, [0, 1]]]);
  assert.equal(layout(picture, size).boxes.size, 2);
});

test("the file of the chosen node opens, and one that was opened by hand", () => {
  const folded = (change: object) => drawn(made, { ...START, fold: "all", ...change }).groups.map((group) => group.folded);
  assert.deepEqual(folded({ node: 2 }), [true, false]);
  assert.deepEqual(folded({ open: ["app/agent.py"] }), [false, true]);
});

test("the same picture is laid out the same", () => {
  const all = drawn(made, START);
  assert.deepEqual([...layout(all, size).boxes], [...layout(drawn(made, START), size).boxes]);
});
