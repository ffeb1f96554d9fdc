import { raw } from "hono/html";
import type { ShownSample } from "#shared/contracts/report.ts";
import { formatValue } from "../format/number.ts";
import { Blocks } from "./blocks/Block.tsx";
import { SampleLink } from "./SiteLink.tsx";
import { sampleHrefs } from "./samples/sample-links.ts";
import { headlineMetric, type ShownRun } from "./shown-run.ts";

const kinds: Record<ShownSample["kind"], string> = {
  worst: "Lowest scores",
  best: "Highest score",
  odd: "Unusual",
};

const kindsInOrder = Object.keys(kinds) as ShownSample["kind"][];

const statuses: Record<ShownSample["status"], string> = {
  scored: "",
  unscored: "unscored",
  not_applicable: "not applicable",
  answered: "not judged yet",
};

/** Maximum characters of samples on the page itself, to keep it small; the others are linked. */
const mostCharacters = 16_000;

const roomIn = ({ place }: ShownRun): number =>
  place.isWhole ? Number.POSITIVE_INFINITY : mostCharacters;

/** A sample's score, or why it has none. */
function scoreText({ score, status }: ShownSample, report: ShownRun): string {
  if (score === null) return statuses[status] || "no score";
  return formatValue(score, headlineMetric(report).format);
}

const Name = ({ sample, report }: { sample: ShownSample; report: ShownRun }) => (
  <>
    <code>{sample.id}</code>
    {sample.repeat > 0 && ` (repeat ${sample.repeat + 1})`}: {scoreText(sample, report)}
    {sample.reason !== "" && <span class="soft">, {sample.reason}</span>}
  </>
);

interface DrawnProps {
  sample: ShownSample;
  report: ShownRun;
}

/** One sample, folded, because a long one would hide what follows. */
const Drawn = ({ sample, report }: DrawnProps) => (
  <details class="sample">
    <summary>
      <Name sample={sample} report={report} />
    </summary>
    <Blocks blocks={sample.blocks} />
  </details>
);

/** Links to samples for which the page has no room. */
const Linked = ({ samples, report }: { samples: readonly ShownSample[]; report: ShownRun }) => {
  const hrefOf = sampleHrefs(report.place, report.run.id);
  return samples.length === 0 ? null : (
    <>
      <p class="small soft">More on separate pages:</p>
      <ul>
        {samples.map((sample) => (
          <li>
            <SampleLink href={hrefOf({ sample: sample.id, ...repeatOf(sample) })}>
              <Name sample={sample} report={report} />
            </SampleLink>
          </li>
        ))}
      </ul>
    </>
  );
};

const repeatOf = ({ repeat }: ShownSample) => (repeat > 0 ? { repeat: `${repeat}` } : {});

/** The samples that fit, one of each kind before a second of any kind. */
function drawnSamples(report: ShownRun): ReadonlyMap<ShownSample, string> {
  const byKind = Map.groupBy(report.samples, ({ kind }) => kind);
  const placed = kindsInOrder.flatMap((kind) =>
    (byKind.get(kind) ?? []).map((sample, place) => ({ sample, place })),
  );
  const drawn = new Map<ShownSample, string>();
  let room = roomIn(report);
  for (const { sample } of placed.toSorted((a, b) => a.place - b.place)) {
    const html = String(<Drawn sample={sample} report={report} />);
    if (html.length > room) continue;
    room -= html.length;
    drawn.set(sample, html);
  }
  return drawn;
}

const HiddenSamples = () => (
  <p class="soft">
    Hidden: the dataset is private, so only its owner can read samples and answers, with a key at
    the API.
  </p>
);

/** Interesting samples: the worst, the best, and unusual ones. */
export const SampleList = ({ report }: { report: ShownRun }) => {
  if (report.run.hiddenSamples && report.samples.length === 0) return <HiddenSamples />;
  const drawn = drawnSamples(report);
  const allSamples = sampleHrefs(report.place, report.run.id)({});
  const byKind = Map.groupBy(report.samples, ({ kind }) => kind);
  return (
    <>
      <p class="prose">
        The lowest and highest scores and unusual answers, with their requests and answers.{" "}
        {allSamples !== undefined && <a href={allSamples}>All samples</a>}
      </p>
      {kindsInOrder.map((kind) => {
        const its = byKind.get(kind) ?? [];
        return its.length === 0 ? null : (
          <>
            <h3>{kinds[kind]}</h3>
            {its.map((sample) => raw(drawn.get(sample) ?? ""))}
            <Linked samples={its.filter((sample) => !drawn.has(sample))} report={report} />
          </>
        );
      })}
      {report.samples.length === 0 && (
        <p class="soft">
          {report.run.answersRemovedAt === null
            ? "None are stored."
            : "The raw answers were deleted by the retention setting; scores and metrics are kept."}
        </p>
      )}
    </>
  );
};
