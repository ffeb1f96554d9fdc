import { formatValue } from "../../format/number.ts";
import { ScrollTable } from "../ScrollTable.tsx";
import { SiteLink } from "../SiteLink.tsx";
import { onSite } from "../shown-run.ts";
import { type Compared, markedNames, metricOf, rankedRuns, samplePath } from "./compared.ts";

/** The samples with the largest differences of headline scores, each score linked to its answer. */
export const DifferingSamples = ({ compared }: { compared: Compared }) => {
  const { comparison, suite, place = onSite } = compared;
  const { label } = metricOf(compared, suite.headline);
  const names = markedNames(comparison);
  const ranked = rankedRuns(comparison);
  const columns = ranked.map(({ run }) => ({
    run,
    at: comparison.runs.findIndex((one) => one.run === run),
  }));
  /** The best of the other runs, whose answer is shown next to it. */
  const otherThan = (run: string) => ranked.find((other) => other.run !== run)?.run;
  return (
    <section aria-labelledby="differing">
      <h2 id="differing">Samples on which they differ most</h2>
      {comparison.differing.length === 0 ? (
        <p class="soft">On every common sample all of these runs score the same.</p>
      ) : (
        <>
          <p class="prose">
            By {label} of the sample, the widest gap first.
            {place.siteOrigin !== null &&
              " Each score links to its answer, next to that of the best other run."}
          </p>
          <ScrollTable label="Samples that differ most" wide={ranked.length > 2}>
            <thead>
              <tr>
                <th scope="col">Sample</th>
                {columns.map(({ run }) => (
                  <th scope="col" class="num wrapping">
                    <span>{names.get(run)}</span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {comparison.differing.map(({ id, scores }) => (
                <tr>
                  <th scope="row" class="sample-id">
                    <code>{id}</code>
                  </th>
                  {columns.map(({ run, at }) => (
                    <td class="num">
                      <SiteLink
                        place={place}
                        path={samplePath(run, id, otherThan(run))}
                        label={`${formatValue(scores[at], "score")}, answer of ${names.get(run)} to ${id}`}
                      >
                        {formatValue(scores[at], "score")}
                      </SiteLink>
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </ScrollTable>
        </>
      )}
    </section>
  );
};
