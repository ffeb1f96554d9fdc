import type { LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import type { TextBlock } from "#shared/contracts/report.ts";
import type { ListedSample, SamplePage } from "#shared/contracts/run.ts";
import type { RunReport, SampleReport } from "#shared/contracts/run-report.ts";
import { paths } from "../../data/paths.ts";
import { formatCount, formatValue } from "../../format/number.ts";
import { PlainBlock } from "../../report/blocks/PlainBlock.tsx";
import { CautionLine } from "../../report/CautionLine.tsx";
import { CodeText } from "../../report/Code.tsx";
import { ModelMarks } from "../../report/ModelMarks.tsx";
import { ScrollTable } from "../../report/ScrollTable.tsx";
import { SampleFilters } from "../../report/samples/SampleFilters.tsx";
import {
  listedMetrics,
  listedValue,
  SampleRows,
  wrongText,
} from "../../report/samples/SampleRows.tsx";
import { headlineMetric } from "../../report/shown-run.ts";
import {
  hasFilters,
  mostSorted,
  pageSearch,
  readQuery,
  type SampleQuery,
  withoutFilters,
} from "./sample-query.ts";

type Listed = Pick<RunReport, "run" | "suite">;

/** The run of the samples. `isOwnPage`: the run has pages of its own. */
export const SamplesHead = ({
  report: { run, suite },
  isOwnPage,
}: {
  report: Listed;
  isOwnPage: boolean;
}) => (
  <>
    <p>
      <a href={isOwnPage ? paths.run(run.id) : `${paths.viewer}?id=${encodeURIComponent(run.id)}`}>
        {run.model.name} on {suite.label}
      </a>
      , dataset {run.dataset.name}, {formatCount(run.progress.total)} answers{" "}
      <ModelMarks provenance={run.provenance} simulated={run.model.simulated} />
    </p>
    <CautionLine suite={suite} />
  </>
);

const progressText = ({ progress: { done, total } }: Listed["run"]): string =>
  `${formatCount(done)} of ${formatCount(total)} answers so far; new ones appear by themselves.`;

interface ListProps {
  report: Listed;
  page: SamplePage;
  query: SampleQuery;
  isUnderWay: boolean;
}

/** The number of matching samples, and a link to all samples. */
function Count({ page: { samples, nextCursor }, query }: ListProps) {
  const more = nextCursor === null ? "" : " or more";
  const count = `${formatCount(samples.length)}${more}`;
  if (!hasFilters(query)) return null;
  return (
    <p role="status">
      {samples.length === 1 && nextCursor === null ? "1 sample matches" : `${count} samples match`}
      {query.cursor !== null && " on this page"}.{" "}
      <a href={pageSearch(withoutFilters(query))}>Clear all filters</a>
    </p>
  );
}

/** A page of the list, with a link to the next one. */
export const SamplesPage = (props: ListProps) => {
  const { report, page, query, isUnderWay } = props;
  const { samples, nextCursor } = page;
  return (
    <>
      {isUnderWay && <p class="soft">{progressText(report.run)}</p>}
      {report.run.progress.total > mostSorted && (
        <p class="soft">
          In the run's order: more than {formatCount(mostSorted)} samples are neither sorted nor
          filtered by tag, score or state.
        </p>
      )}
      <Count {...props} />
      {samples.length > 0 ? (
        <SampleRows
          report={report}
          rows={samples}
          hrefOf={(sample, repeat) => pageSearch({ ...query, sample, repeat })}
        />
      ) : (
        !hasFilters(query) && <p class="soft">No samples{query.cursor && " after these"} yet.</p>
      )}
      {nextCursor !== null && (
        <p>
          <a href={pageSearch({ ...query, cursor: nextCursor })}>Next samples</a>
        </p>
      )}
    </>
  );
};

/** The previous and next sample, in the order and with the filters of the list. */
export interface Neighbours {
  before: ListedSample | null;
  after: ListedSample | null;
}

interface SampleProps {
  report: Listed;
  shown: SampleReport;
  query: SampleQuery;
  neighbours: Neighbours;
  /** The answer of another run. */
  rival: { report: Listed; shown: SampleReport } | null;
}

/** One sample as its suite shows it. */
export const SampleView = ({ report, shown, query, neighbours, rival }: SampleProps) => {
  const { sample } = shown;
  return (
    <section aria-labelledby="sample">
      <Way report={report} query={query} neighbours={neighbours} />
      <h2 id="sample">
        <code>{sample.id}</code>
        {sample.repeat > 0 && `, repeat ${sample.repeat + 1}`}
      </h2>
      {rival === null ? (
        <Answer report={report} shown={shown} />
      ) : (
        <div class="side-by-side">
          <Answer report={report} shown={shown} isNamed />
          <Answer {...rival} isNamed isSecond />
        </div>
      )}
      <div data-others></div>
    </section>
  );
};

/** Links to the list, and to the neighbouring samples. */
const Way = ({
  report,
  query,
  neighbours,
}: Pick<SampleProps, "report" | "query" | "neighbours">) => {
  const repeats = Number(report.run.options["repeats"] ?? 1);
  const hrefOf = ({ id, seq }: ListedSample) =>
    pageSearch({ ...query, sample: id, repeat: seq % repeats });
  const list = pageSearch({ ...query, sample: null, repeat: 0, rival: null });
  const { before, after } = neighbours;
  return (
    <nav class="way" aria-label="Samples of this list">
      {before === null ? (
        <span class="soft">First of the list</span>
      ) : (
        <a href={hrefOf(before)} rel="prev">
          Previous
        </a>
      )}
      {after === null ? (
        <span class="soft">Last of the list</span>
      ) : (
        <a href={hrefOf(after)} rel="next">
          Next
        </a>
      )}
      <a href={list}>{hasFilters(query) ? "Back to the filtered list" : "Back to all samples"}</a>
    </nav>
  );
};

const Answer = ({
  report,
  shown: { sample, blocks, texts = [] },
  isNamed = false,
  isSecond = false,
}: {
  report: Listed;
  shown: SampleReport;
  isNamed?: boolean;
  /** Whether the page has the same parts of another answer. */
  isSecond?: boolean;
}) => (
  <div>
    {isNamed && <h3>{report.run.model.name}</h3>}
    <Figures report={report} sample={sample} />
    <div class="blocks">
      {blocks.map((block) => (
        <PlainBlock
          block={isSecond ? { ...block, title: `${block.title}, ${report.run.model.name}` } : block}
        />
      ))}
    </div>
    <Tabs
      texts={texts.filter((block): block is TextBlock => block.kind === "text")}
      run={report.run.id}
    />
  </div>
);

const Figures = ({ report, sample }: { report: Listed; sample: ListedSample }) => {
  const headline = headlineMetric(report);
  const { look } = sample;
  return (
    <dl class="facts">
      <div>
        <dt>{headline.label}</dt>
        <dd>{formatValue(sample.score, headline.format)}</dd>
      </div>
      {listedMetrics(report).map((metric) => (
        <div>
          <dt>{metric.label}</dt>
          <dd>{listedValue(look?.values[metric.id])}</dd>
        </div>
      ))}
      {look?.wrong != null && (
        <div>
          <dt>Wrong {report.suite.listed?.part}s</dt>
          <dd>{wrongText(sample)}</dd>
        </div>
      )}
      <div>
        <dt>Latency</dt>
        <dd>{formatValue(sample.latencyMs, "ms")}</dd>
      </div>
      <div>
        <dt>Tokens</dt>
        <dd>
          {sample.inputTokens === null ? "–" : formatCount(sample.inputTokens)} in,{" "}
          {sample.outputTokens === null ? "–" : formatCount(sample.outputTokens)} out
        </dd>
      </div>
    </dl>
  );
};

/** What was sent and received, in tabs. */
const Tabs = ({ texts, run }: { texts: readonly TextBlock[]; run: string }) =>
  texts.length === 0 ? null : (
    <div class="tabs" data-tabs>
      <div role="tablist" aria-label="What was sent and received">
        {texts.map(({ title }, i) => (
          <button
            type="button"
            role="tab"
            id={`tab-${run}-${i}`}
            aria-controls={`panel-${run}-${i}`}
            aria-selected={i === 0 ? "true" : "false"}
            tabindex={i === 0 ? 0 : -1}
          >
            {title}
          </button>
        ))}
      </div>
      {texts.map(({ text, left, isCode }, i) => (
        <div
          role="tabpanel"
          class={isCode ? "quoted code" : "quoted"}
          id={`panel-${run}-${i}`}
          aria-labelledby={`tab-${run}-${i}`}
          tabindex={0}
          hidden={i > 0}
        >
          {text}
          {left > 0 && <span class="soft"> … {formatCount(left)} more characters</span>}
        </div>
      ))}
    </div>
  );

/** Another model of the board, with its answer to the sample; null if it has none. */
export interface OtherAnswer {
  entry: Pick<LeaderboardEntry, "run" | "model" | "provenance">;
  row: ListedSample | null;
}

/** Answers of the board's other models to the same sample. */
export const OtherAnswers = ({
  report,
  query,
  others,
}: {
  report: Listed;
  query: SampleQuery;
  others: readonly OtherAnswer[];
}) => {
  const headline = headlineMetric(report);
  const metrics = listedMetrics(report);
  if (others.length === 0) return null;
  return (
    <section aria-labelledby="others">
      <h3 id="others">Other models on this sample</h3>
      <ScrollTable
        label="Scores of other models"
        wide
        columns={[
          "Model",
          { num: headline.label },
          ...metrics.map(({ label }) => label),
          "First error",
          "Answer",
        ]}
      >
        <tbody>
          {others.map(({ entry: { run, model }, row }) => (
            <tr>
              <th scope="row">
                <a
                  href={`${paths.samples}?${new URLSearchParams({ run, sample: query.sample ?? "" })}`}
                >
                  {model.name}
                </a>
              </th>
              <td class="num">{formatValue(row?.score, headline.format)}</td>
              {metrics.map((metric) => (
                <td>{listedValue(row?.look?.values[metric.id])}</td>
              ))}
              <td class="first-error">
                {row?.look?.firstError ? (
                  <CodeText text={row.look.firstError} />
                ) : (
                  <span class="soft">{row === null ? "not answered" : "none"}</span>
                )}
              </td>
              <td>
                {run === query.rival ? (
                  <a href={pageSearch({ ...query, rival: null })}>Hide</a>
                ) : (
                  row && (
                    <a
                      href={pageSearch({ ...query, rival: run })}
                      aria-label={`Show side by side: the answer of ${model.name}`}
                    >
                      Show side by side
                    </a>
                  )
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    </section>
  );
};

/** The first page of a run's samples for its own page, without a script. */
export function firstPageHtml(report: Listed, page: SamplePage): string {
  const query = readQuery("", paths.samplesOf(report.run.id));
  if (query === null) throw new Error("a path of samples names a run");
  return String(
    <>
      <SamplesHead report={report} isOwnPage />
      <SampleFilters report={report} given={{}} isOwnPage isOpen={false} />
      <div data-rows>
        <SamplesPage report={report} page={page} query={query} isUnderWay={false} />
      </div>
    </>,
  );
}
