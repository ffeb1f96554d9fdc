import type { Writable } from "node:stream";
import { styleText } from "node:util";
import { MAX_WIDTH } from "../compare/wrapped.ts";
import { printable } from "../printable.ts";
import { formatValue } from "../score/format-value.ts";
import { textTable } from "../score/text-table.ts";
import type { Check } from "./check.ts";
import type { Latency } from "./latency.ts";
import type { TestedEndpoint } from "./test-endpoint.ts";

const words: Record<Check["outcome"], string> = {
  ok: "ok",
  no: "no",
  failed: "FAILED",
  skipped: "–",
};
const colors = { ok: "green", no: "yellow", failed: "red", skipped: "dim" } as const;

const time = (ms: number | null): string => (ms === null ? "" : formatValue(ms, "ms"));

/** What was found out about an endpoint as a table, with what to do beneath what lacks. */
export function connectionText(tested: TestedEndpoint, stream: Writable): string {
  const { endpoint, model, usable, checks, latency } = tested;
  const rows = checks.map(({ label, outcome, ms, detail }) => [
    label,
    words[outcome],
    time(ms),
    printable(detail),
  ]);
  const table = textTable([["check", "outcome", "time", "what was seen"], ...rows], (k) => k !== 2);
  const lines = table.slice(1).flatMap((line, i) => {
    const { outcome, hint } = checks[i]!;
    const shown = painted(cut(line), outcome, stream);
    return hint === null ? [shown] : [shown, `    → ${printable(hint)}`];
  });
  const verdict = usable ? `${model} can be asked${modesText(checks)}` : `${model} can't be asked`;
  return [
    styleText("bold", printable(`${model} at ${endpoint}`), { stream }),
    styleText("dim", table[0]!, { stream }),
    ...lines,
    ...(latency === null ? [] : latencyLines(latency)),
    printable(verdict),
  ].join("\n");
}

const cut = (line: string): string =>
  line.length > MAX_WIDTH ? `${line.slice(0, MAX_WIDTH - 1)}…` : line;

function painted(line: string, outcome: Check["outcome"], stream: Writable): string {
  const word = words[outcome];
  return line.replace(` ${word}`, ` ${styleText(colors[outcome], word, { stream })}`);
}

const modes = ["json_schema_strict", "json_schema", "json_object", "none"];

/** What `structured_output` can be in a config. */
function modesText(checks: readonly Check[]): string {
  const works = modes.filter((mode) =>
    checks.some(({ id, outcome }) => id === mode && outcome === "ok"),
  );
  return works.length === 0 ? "" : `; structured_output that works: ${works.join(", ")}`;
}

function latencyLines({ n, asked, medianMs, minMs, maxMs, rateLimits }: Latency): string[] {
  const of = n === asked ? `${n} short answers` : `${n} of ${asked} short answers`;
  const range = `${time(minMs)} – ${time(maxMs)}`;
  const limits = Object.entries(rateLimits).map(([name, value]) =>
    printable(`  ${name}: ${value}`),
  );
  return [
    `Latency of ${of}, one after the other: median ${time(medianMs)}, range ${range}`,
    ...(limits.length === 0
      ? ["Rate limits: the endpoint names none"]
      : ["Rate limits:", ...limits]),
  ];
}
