import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";
import { Window } from "happy-dom";

const window = new Window({ url: "file:///report.html" });
for (const name of ["document", "history", "location", "addEventListener", "removeEventListener", "scrollTo", "CSS", "HTMLElement", "Node", "MutationObserver"] as const)
  Object.defineProperty(globalThis, name, { value: window[name], configurable: true, writable: true });
Object.defineProperty(globalThis, "window", { value: window, configurable: true });

const { render } = await import("preact");
const { act } = await import("preact/test-utils");
const { App } = await import("../src/app");
const { Fix, Prose } = await import("../src/parts");
const { report } = await import("./made");

let place: HTMLElement;
beforeEach(() => {
  window.location.hash = "";
  document.body.replaceChildren();
  place = document.body.appendChild(document.createElement("div"));
});

async function shown(hash = "", made = report()): Promise<void> {
  window.location.hash = hash;
  await act(() => render(<App report={made} />, place));
}

async function press(name: string | RegExp): Promise<void> {
  const button = [...place.querySelectorAll<HTMLElement>("button, [role=button]")].find((one) => {
    const said = one.getAttribute("aria-label") ?? one.textContent ?? "";
    return typeof name === "string" ? said === name : name.test(said);
  });
  assert.ok(button, `a button ${name}`);
  await act(() => void button.dispatchEvent(new window.Event("click", { bubbles: true }) as unknown as Event));
}

const HOSTILE = `<img src=x onerror=alert(1)></script><b>x</b>`;

test("the first screen says health, axes, what to fix first and what costs most", async () => {
  await shown();
  for (const words of ["54", "reliability", "13 of 16 rules applicable", "Fix first", "no step limit", "+2.1 health", "gpt-5", "costs"])
    assert.ok(place.textContent?.includes(words), words);
});

test("a thing to fix leads to its finding, with code, fix, page and references", async () => {
  await shown();
  await press("Agent run without a limit");
  for (const words of ["the line", "Runner.run(agent, max_turns=10)", "CWE-835", "resolved"]) assert.ok(place.textContent?.includes(words), words);
  assert.match(window.location.hash, /view=findings/);
});

test("a node of the graph opens with the verdicts that stand there", async () => {
  await shown("#view=graph");
  await press(/^agent ▲ high 1 clerk/);
  assert.ok(place.querySelector(".panel")?.textContent?.includes("no step limit"));
  assert.match(window.location.hash, /node=0/);
});

test("markup in names and texts stays text", async () => {
  const made = report();
  made.doc.system.nodes[0]!.name = HOSTILE;
  made.doc.overview.name = HOSTILE;
  made.items[0]!.reason = HOSTILE;
  for (const view of ["overview", "graph", "findings"]) {
    await shown(`#view=${view}`, made);
    await act(() => void window.dispatchEvent(new window.Event("hashchange")));
    assert.equal(place.querySelector("img, script, b"), null, view);
    assert.ok(place.textContent?.includes("<img"), view);
  }
});

test("prose shows code and emphasis, and nothing else as an element", () => {
  render(<Prose text={"a `b<i>` **c** <u>d</u> `"} />, place);
  assert.deepEqual([...place.querySelectorAll("*")].map((one) => [one.localName, one.textContent]), [["code", "b<i>"], ["strong", "c"]]);
});

test("a line of code is code, advice in words is prose", () => {
  render(<Fix text="Let a person approve what acts outside." />, place);
  assert.equal(place.querySelector("code"), null);
  render(<Fix text="Agent(max_turns=3)  # on clerk" />, place);
  assert.equal(place.querySelector("code")?.textContent, "Agent(max_turns=3)  # on clerk");
});

test("a project without agents is no pass", async () => {
  const made = report();
  made.doc.overview.applicable = false;
  await shown("", made);
  assert.ok(place.textContent?.includes("not applicable, not a pass"));
});
