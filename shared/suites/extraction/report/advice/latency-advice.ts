import type { Advice } from "../../../../measures/report/advice.ts";
import type { ReportFacts } from "../report-facts.ts";
import { offTarget } from "./measured.ts";

/** From here on, most of what latency varies by goes with the length of outputs. */
const strongCorrelation = 0.7;

/**
 * A p95 latency over its target: what is asked for where latency goes with the length of outputs, else the
 * model or where it runs.
 * Source: docs/spec/extraction.md, sections 6, 7 and 10.
 * @example latencyAdvice(facts)[0]?.change // "model"
 */
export function latencyAdvice(facts: ReportFacts): Advice[] {
  const off = offTarget(facts, "latencyP95");
  if (off === null) return [];
  const byOutput = facts.breakdown.complexity.correlations.find(
    ({ id }) => id === "latencyByOutput",
  );
  const r = byOutput?.r ?? 0;
  const isByOutput = r >= strongCorrelation;
  return [
    {
      ...off.figure,
      tone: off.tone,
      finding: isByOutput
        ? `${off.text} It goes with the length of the output (r = ${r.toFixed(2)}).`
        : off.text,
      ...(isByOutput
        ? {
            change: "parameters",
            action: "Ask for fewer fields in one request, and for JSON without indentation.",
          }
        : {
            change: "model",
            action: "Take a smaller model, or an endpoint with more room for requests.",
          }),
    },
  ];
}
