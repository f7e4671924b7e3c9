// Small pieces that all views share. Every text of the project is a text node.
import type { ComponentChildren } from "preact";
import { SEVERITIES, SIGNS, type Report } from "./data";

export function Severity({ level }: { level: number }) {
  const word = SEVERITIES[level] ?? "good";
  return (
    <span class={`severity ${word}`}>
      <span aria-hidden="true">{SIGNS[level]}</span> {word}
    </span>
  );
}

export function Where({ path, line }: { path: string; line: number }) {
  return (
    <code class="where">
      {path}
      {line > 0 ? `:${line}` : ""}
    </code>
  );
}

// Prose of the rules: `code` and **strong** are elements, everything else is text.
export function Prose({ text }: { text: string }) {
  const pieces = text.split(/(`[^`]+`|\*\*[^*]+\*\*)/);
  return (
    <>
      {pieces.map((piece) =>
        piece.startsWith("`") && piece.length > 2 ? (
          <code>{piece.slice(1, -1)}</code>
        ) : piece.startsWith("**") ? (
          <strong>{piece.slice(2, -2)}</strong>
        ) : (
          piece
        ),
      )}
    </>
  );
}

export function Excerpt({ report, path, line, end }: { report: Report; path: string; line: number; end: number }) {
  const rows: [number, string][] = [];
  for (let at = Math.max(1, line - 2); at < line + 7; at += 1) {
    const found = report.line(path, at);
    if (found !== undefined) rows.push([at, found]);
    else if (at >= line) break;
  }
  if (line < 1 || rows.length === 0) return <p class="faint">No line of this file is in the report.</p>;
  return (
    <pre class="excerpt" tabIndex={0} role="region" aria-label={`${path}, line ${line}`}>
      {rows.map(([at, text]) => (
        <span class={at >= line && at <= end ? "line marked" : "line"}>
          <span class="number" aria-hidden="true">
            {at}
          </span>
          <code>{`${text}\n`}</code>
        </span>
      ))}
    </pre>
  );
}

// A line of code as code, advice in words as words.
export function Fix({ text }: { text: string }) {
  const inWords = /^[A-Z][a-z]+ .*\.$/.test(text);
  return (
    <p class="fix">
      <strong>Fix</strong> {inWords ? <Prose text={text} /> : <code>{text}</code>}
    </p>
  );
}

export function Card({ title, children, id }: { title: ComponentChildren; children: ComponentChildren; id: string }) {
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

export function plural(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

export function points(gain: number): string {
  return `+${(100 * gain).toFixed(gain < 0.001 ? 2 : 1)}`;
}
