import type { ReportSection } from "../../../contracts/report.ts";
import { chartsFirst } from "../../../measures/report/charts-first.ts";
import { featureBoxes } from "../../../measures/report/feature-boxes.ts";
import { partBlocks, tagBlocks } from "../../../measures/report/tag-blocks.ts";
import { partValue, type ReportFacts, shownParts } from "./report-facts.ts";

/**
 * Users and sessions, and how F1 goes with what a session holds.
 * Source: docs/spec/slots.md, metrics.
 * @example partSection(facts).id // "users"
 */
export function partSection({ breakdown, points }: ReportFacts): ReportSection {
  return {
    id: "users",
    title: "By user and session",
    intro: "Sessions go by their name, over all users; later ones change what earlier ones said.",
    blocks: chartsFirst([
      ...partBlocks("User", byF1(breakdown.users), shownParts, "lowest"),
      ...partBlocks("Session", bySession(breakdown.sessions), shownParts),
      ...featureBoxes("F1 by expected slots of a session", points, "expectedSlots", {
        label: "F1 of a session",
        format: "score",
        of: ({ score }) => score,
      }),
    ]),
  };
}

/** Lowest first, since not all may be shown. */
const byF1 = (users: ReportFacts["breakdown"]["users"]) =>
  [...users].sort((a, b) => (partValue(a, "f1") ?? 0) - (partValue(b, "f1") ?? 0));

const { compare } = new Intl.Collator("en", { numeric: true });

/** In the order in which they took place: "2" before "10". */
const bySession = (sessions: ReportFacts["breakdown"]["sessions"]) =>
  [...sessions].sort((a, b) => compare(a.name, b.name));

/**
 * What the dataset says of its sessions beside user and session; none without tags that tell them apart.
 * @example tagSection(facts)?.id // "tags"
 */
export function tagSection({ breakdown }: ReportFacts): ReportSection | null {
  const blocks = tagBlocks(breakdown.tags, shownParts);
  if (blocks.length === 0) return null;
  return { id: "tags", title: "By tag", intro: "What the dataset says of its sessions.", blocks };
}
