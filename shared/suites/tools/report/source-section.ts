import type { NoteBlock, ReportSection } from "../../../contracts/report.ts";
import { onDevice } from "../../../measures/hybrid.ts";
import { tableOf } from "../../../measures/report/blocks.ts";
import { isRouted, note, type ReportFacts } from "./report-facts.ts";

/** Sources are few; an endpoint that names each answer's is cut here. */
const mostSources = 15;

/**
 * Where answers came from, as they say.
 * Source: docs/spec/tools.md, source and hybrid routing.
 * @example sourceSection(facts).id // "sources"
 */
export function sourceSection(facts: ReportFacts): ReportSection {
  const { sources, answers } = facts.breakdown;
  const { options } = facts;
  const declared =
    options.source === undefined
      ? "An answer that does not say where it came from counts as cloud."
      : `Answers that do not say so themselves count as ${options.source}, as the run declares.`;
  return {
    id: "sources",
    title: "Where answers came from",
    intro: `The source on-device counts as the device, any other as cloud. ${declared}`,
    blocks: [
      ...undeclaredNote(facts),
      ...tableOf(
        "Sources",
        [
          ["name", "Source", "text"],
          ["n", "Answers", "count"],
          ["share", "Share", "percent"],
        ],
        sources.map(({ name, n }) => ({ name, n, share: answers === 0 ? null : n / answers })),
        mostSources,
      ),
    ],
  };
}

/** An endpoint's answers say where they came from when its board is long settled. */
function undeclaredNote(facts: ReportFacts): NoteBlock[] {
  const isLocal = ({ name }: { name: string }) => name === onDevice;
  const { sources } = facts.breakdown;
  if (isRouted(facts) || !sources.some(isLocal) || sources.every(isLocal)) return [];
  const text =
    "Some answers came from the device and some did not, but the run was submitted as a plain endpoint, so it ranks by call F1. To rank by the total among systems that route, submit the endpoint with the option routed: true, or score the stored answers anew with it.";
  return [note("Answers from two places", text)];
}
