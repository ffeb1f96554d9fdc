import type { NoteBlock } from "../../../contracts/report.ts";
import { slotAccuracy } from "../../../judges/metrics/slot-accuracy.ts";
import { judgeBlocks, judgingTable, unjudgedText } from "../../../measures/judging/judge-blocks.ts";
import { adviceSection } from "../../../measures/report/advice/advice.ts";
import {
  asBrief,
  foldedLast,
  metricBars,
  note,
  type SectionParts,
} from "../../../measures/report/charts/blocks.ts";
import { featureBoxes } from "../../../measures/report/charts/feature-boxes.ts";
import { shareSteps } from "../../../measures/report/charts/tone-steps.ts";
import { figureText } from "../../../measures/report/figures/figure-text.ts";
import { passSection } from "../../../measures/report/parts/pass-section.ts";
import { partBlocks, tagSection } from "../../../measures/report/parts/tag-blocks.ts";
import { performanceSection } from "../../../measures/report/performance/performance-blocks.ts";
import { suiteReport } from "../../../measures/report/run/suite-report.ts";
import { slotsMetrics } from "../metrics.ts";
import { breakdownSchema, type SlotsBreakdown } from "../sum/breakdown.ts";
import { slotsAdvice } from "./advice-rules.ts";
import { errorSection, valueSection } from "./error-section.ts";
import { partValue, type ReportFacts, shownParts } from "./report-facts.ts";
import { summarySection } from "./summary-section.ts";
import { topicSection } from "./topic-section.ts";

/** Lowest first, since not all may be shown. */
const byF1 = (users: ReportFacts["breakdown"]["users"]) =>
  [...users].sort((a, b) => (partValue(a, "f1") ?? 0) - (partValue(b, "f1") ?? 0));

/** In the order in which they took place: "2" before "10". */
const bySession = (sessions: ReportFacts["breakdown"]["sessions"]) =>
  [...sessions].sort((a, b) => compare(a.name, b.name));

/**
 * The report of a slots run, one file per section: which slots were stored, with which values, by topic, user, session
 * and tag, ratings of judges if there are any, errors, performance, and advice.
 * Source: docs/spec/slots.md, metrics.
 * @example slotsReport(summary, { options, points: null, timeline: null })[0]?.id // "summary"
 */
export const slotsReport = suiteReport(breakdownSchema, [
  summarySection,
  valueSection,
  topicSection,
  partSection,
  // User and session are shown apart.
  ({ breakdown }) => tagSection(breakdown.tags, shownParts, "sessions"),
  judgeSection,
  errorSection,
  passSection,
  (facts) =>
    performanceSection(facts, {
      intro: "Times of answered requests, in milliseconds, one request a session.",
      headline: { label: "F1 of a session", format: "score" },
      catalogue: slotsMetrics,
      ids: ["latencyTotal", "p95Source"],
    }),
  (facts: ReportFacts) => adviceSection(slotsAdvice(facts)),
]);

/**
 * Ratings of stored values, the judges, and the cost of judging; null if a run was not judged.
 * Source: docs/spec/slots.md, LLM judge score.
 * @example judgeSection(facts)?.id // "judge"
 */
function judgeSection({ metrics, breakdown }: ReportFacts): SectionParts | null {
  const isJudged = breakdown.judges.length > 0 || (metrics["judgeScore"]?.n ?? 0) > 0;
  if (!isJudged && breakdown.unjudged.length === 0) return null;
  const bars = metricBars("Judge score", ["judgeScore"], metrics, {
    catalogue: slotsMetrics,
    steps: shareSteps,
  });
  return {
    id: "judge",
    title: "Judge score",
    intro:
      "The rating, 0–1, by a judge that sees the session, of how well each stored value matches the meaning of the expected one; a missed slot is 0.",
    blocks: [
      asBrief([bars, unjudgedNote(breakdown)]),
      judgeBlocks(breakdown, [slotAccuracy], "Slots"),
      // Cost and time of judgments made elsewhere are unknown.
      (metrics["judgeRequests"]?.n ?? 0) > 0 ? judgingTable(metrics) : null,
    ],
  };
}

function unjudgedNote({ unjudged }: SlotsBreakdown): NoteBlock | null {
  if (unjudged.length === 0) return null;
  const share = unjudged.reduce((sum, row) => sum + row.share, 0);
  const why = unjudged.map(({ reason, count }) => `${unjudgedText[reason]} (${count})`).join("; ");
  const text = `${figureText(share, "percent")} of the expected slots that were stored have no judgment. ${why}. No value was invented: a session with such a slot is left out of the judge score, which lowers its coverage.`;
  return note("Unjudged slots", text, "fair");
}

/**
 * Users and sessions, and how F1 depends on the content of a session.
 * Source: docs/spec/slots.md, metrics.
 * @example partSection(facts).id // "users"
 */
function partSection({ breakdown, points }: ReportFacts): SectionParts {
  return {
    id: "users",
    title: "By user and session",
    intro:
      "Sessions are grouped by name, over all users; later ones change facts from earlier ones.",
    blocks: foldedLast([
      partBlocks("User", byF1(breakdown.users), shownParts, "lowest"),
      partBlocks("Session", bySession(breakdown.sessions), shownParts),
      featureBoxes("F1 by expected slots of a session", points, "expectedSlots", {
        label: "F1 of a session",
        format: "score",
        of: ({ score }) => score,
      }),
    ]),
  };
}

const { compare } = new Intl.Collator("en", { numeric: true });
