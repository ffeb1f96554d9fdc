import type { JudgingStudy } from "#shared/contracts/boards/judging-study.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import { judgingName } from "#shared/measures/judging/judging-name.ts";
import { paths } from "../data/paths.ts";
import { formatInterval, formatShare, formatValue } from "../format/number.ts";
import { Facts } from "./Facts.tsx";
import { ScrollTable } from "./ScrollTable.tsx";

interface Props {
  study: JudgingStudy;
  metric: Pick<Metric, "label" | "format">;
}

/** A study of judgings as HTML. */
export const judgingStudyHtml = (props: Props): string => String(<Study {...props} />);

const Study = ({ study, metric }: Props) => (
  <>
    {study.judgings.some(({ simulated }) => simulated) && (
      <p class="notice notice-warn" role="note">
        Some of these judges are simulated: this shows how the page works, not how models judge.
      </p>
    )}
    <p class="prose">
      {study.models.length} models on {study.samples} samples of {study.dataset.name}, ranked by{" "}
      {metric.label} in {study.judgings.length} judgings of the same answers.
    </p>
    <h2>Ranks</h2>
    <ScrollTable label="Ranks by judging" wide figures>
      <thead>
        <tr>
          <th scope="col">Model</th>
          <th scope="col">First in</th>
          {study.judgings.map((_, j) => (
            <th scope="col">J{j + 1}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {study.models.map(({ run, model, results, first }) => (
          <tr>
            <th scope="row">
              <a href={`${paths.viewer}?id=${encodeURIComponent(run)}`}>{model.name}</a>
            </th>
            <td>
              {first} of {results.length}
            </td>
            {results.map((result) => (
              <td>
                <a href={`${paths.viewer}?id=${encodeURIComponent(result.run)}`}>{result.rank}</a>{" "}
                <span class="soft small">{formatValue(result.value, metric.format)}</span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </ScrollTable>
    <h2>What decides the rank</h2>
    <Variance variance={study.variance} />
    <h2>The judgings</h2>
    <p class="prose">
      Longer wins: of pairs of answers to the same sample, the share in which the longer answer scores
      higher, ties half. Compare it between judgings: longer answers may also be better.
    </p>
    <ScrollTable
      label="The judgings"
      columns={["Judging", "Options", "Longer wins", "95% interval"]}
    >
      <tbody>
        {study.judgings.map(({ options, longerWins }, j) => (
          <tr>
            <th scope="row">J{j + 1}</th>
            <td class="text">{judgingName(options)}</td>
            <td>{formatValue(longerWins?.value, "percent")}</td>
            <td>{formatInterval(longerWins?.interval ?? null, "percent")}</td>
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  </>
);

const Variance = ({ variance }: Pick<JudgingStudy, "variance">) =>
  variance === null ? (
    <p class="prose">All models tie in every judging.</p>
  ) : (
    <>
      <p class="prose">
        Shares of the variance of ranks over judgings and resamples of the samples. What the models
        don't explain is chance: another judging, or other samples.
      </p>
      <Facts
        facts={[
          { term: "Models", text: formatShare(variance.models) },
          { term: "Judgings", text: formatShare(variance.judgings) },
          { term: "Samples", text: formatShare(variance.samples) },
          { term: "Both together", text: formatShare(variance.both) },
        ]}
      />
    </>
  );
