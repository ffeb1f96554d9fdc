import type { ZodType } from "zod";
import type { AskedJudge, JudgeFigure, Scale } from "../contracts/judging/judge.ts";
import type { Metric } from "../contracts/metric.ts";
import { occursIn, quotedPassages } from "./evidence.ts";
import type { Exchange } from "./exchange.ts";
import { type Counted, meanValue, readingOf } from "./figures.ts";

/** The parts in which grading judges differ. */
interface Graded<Judgment, Material>
  extends Omit<
    AskedJudge<Judgment, Material>,
    "kind" | "read" | "empty" | "numbers" | "labels" | "figures" | "scale"
  > {
  scale: Scale;
  definition: string;
  /** The grade of a blank answer. */
  emptyValue: number;
  score(judgment: Judgment): number;
  count?(judgment: Judgment, evidence: Evidence): Counted;
  counts?: readonly string[];
  labels?: Readonly<Record<string, readonly string[]>>;
  figures?: readonly JudgeFigure[];
  judgment: ZodType<Judgment>;
}

/** Material with the answer to judge. */
type Answered = Pick<Exchange, "answer">;

/** Checks the quotations of a judgment against the answer. */
interface Evidence {
  occurs(quotation: string): boolean;
  /** Whether all passages in quotation marks in a description occur. */
  isSupported(description: string): boolean;
}

/**
 * A judge that grades an answer. The grade is its value; other counts don't change it.
 * Source: docs/spec/memory.md, the twelve metrics.
 * @example gradingJudge({ id: "helpfulness", score: ({ helpfulness_score }) => helpfulness_score, … })
 */
export function gradingJudge<Judgment, Material extends Answered = Exchange>(
  its: Graded<Judgment, Material>,
): AskedJudge<Judgment, Material> {
  const { definition, emptyValue, score, count, counts = [], figures = [], ...rest } = its;
  const { id, label, scale, labels = {} } = rest;
  const whole: Pick<Metric, "id" | "label" | "definition"> = { id, label, definition };
  return {
    ...rest,
    kind: "asked",
    labels,
    numbers: { whole: counts, fractions: [] },
    figures: [meanValue(whole, scale), ...figures],
    read: (judgment, material) =>
      readingOf(score(judgment), count?.(judgment, evidenceIn(material)) ?? {}),
    empty: () =>
      readingOf(emptyValue, { numbers: Object.fromEntries(counts.map((name) => [name, 0])) }),
  };
}

function evidenceIn({ answer }: Answered): Evidence {
  const occurs = occursIn(answer);
  return { occurs, isSupported: (description) => quotedPassages(description).every(occurs) };
}
