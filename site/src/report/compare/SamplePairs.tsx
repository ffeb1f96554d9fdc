import type { Metric } from "#shared/contracts/metric.ts";
import { sampleScatterSvg } from "../../charts/sample-scatter.ts";
import { formatCount, formatDifference, formatValue } from "../../format/number.ts";
import { ChartFigure } from "../blocks/ChartFigure.tsx";
import { ScrollTable } from "../ScrollTable.tsx";
import { SiteLink } from "../SiteLink.tsx";
import { onSite, type ReportPlace, siteUrl } from "../shown-run.ts";
import { samplePath } from "./compared.ts";
import { furthestApart, type SamplePair } from "./sample-pairs.ts";

export interface PairOfRuns {
  metric: Metric;
  first: { run: string; name: string };
  second: { run: string; name: string };
  pairs: readonly SamplePair[];
  /** Whether the runs have more samples than these. */
  isPart: boolean;
  /** Where it is shown; missing: on the site. */
  place?: Pick<ReportPlace, "siteOrigin">;
}

const mostRows = 15;

interface ScoreProps {
  place: Pick<ReportPlace, "siteOrigin">;
  run: string;
  name: string;
  /** The run whose answer is shown next to it. */
  rival: string;
  id: string;
  score: number;
}

const Score = ({ place, run, name, rival, id, score }: ScoreProps) => (
  <SiteLink
    place={place}
    path={samplePath(run, id, rival)}
    label={`${formatValue(score, "score")}, answer of ${name} to ${id}`}
  >
    {formatValue(score, "score")}
  </SiteLink>
);

function sentence({ metric, first, second, pairs, isPart }: PairOfRuns): string {
  const higher = pairs.filter(({ x, y }) => x > y).length;
  const lower = pairs.filter(({ x, y }) => x < y).length;
  const of = isPart ? `the first ${formatCount(pairs.length)}` : formatCount(pairs.length);
  return `${metric.label} of ${of} samples: ${first.name} is higher on ${formatCount(higher)}, ${second.name} on ${formatCount(lower)}, the same on ${formatCount(pairs.length - higher - lower)}.`;
}

/** Shown instead of the chart if samples can't be read. */
export const PairsProblem = ({ message }: { message: string }) => (
  <p class="notice notice-warn" role="alert">
    The samples could not be loaded: {message}.
  </p>
);

const FurthestApart = ({ first, second, pairs, place = onSite }: PairOfRuns) => (
  <section class="block">
    <h3>Largest differences between these two</h3>
    {furthestApart(pairs, mostRows).length === 0 && (
      <p class="soft">They score the same on every sample.</p>
    )}
    <ScrollTable label={`Samples on which ${first.name} and ${second.name} differ most`}>
      <thead>
        <tr>
          <th scope="col">Sample</th>
          {[first.name, second.name, "Difference"].map((name) => (
            <th scope="col" class="num wrapping">
              <span>{name}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {furthestApart(pairs, mostRows).map(({ id, x, y }) => (
          <tr>
            <th scope="row" class="sample-id">
              <code>{id}</code>
            </th>
            <td class="num">
              <Score {...first} rival={second.run} place={place} id={id} score={x} />
            </td>
            <td class="num">
              <Score {...second} rival={first.run} place={place} id={id} score={y} />
            </td>
            <td class="num">{formatDifference(x - y, "score")}</td>
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  </section>
);

export const SamplePairs = (shown: PairOfRuns) => {
  const { metric, first, second, pairs, place = onSite } = shown;
  const hrefOf = (id: string) => siteUrl(place, samplePath(first.run, id, second.run));
  if (pairs.length === 0) return <p class="soft">No sample has a score in both.</p>;
  return (
    <div class="blocks">
      <ChartFigure
        title={`${metric.label} by sample: ${second.name} against ${first.name}`}
        svg={sampleScatterSvg({
          metric,
          first: first.name,
          second: second.name,
          points: pairs,
          hrefOf,
        })}
        above={<p class="small">{sentence(shown)}</p>}
        below={
          <p class="small soft">
            The area of a dot is the number of samples with these two scores. On the line both score
            the same; below it {first.name} is higher.
            {place.siteOrigin !== null && " A dot of one sample leads to both answers."}
          </p>
        }
      />
      <FurthestApart {...shown} />
    </div>
  );
};
