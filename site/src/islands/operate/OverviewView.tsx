import type {
  ActiveRun,
  EndpointHealth,
  Overview,
  Spending,
} from "#shared/contracts/operator/overview.ts";
import { paths } from "../../data/paths.ts";
import { formatDate, formatTime } from "../../format/date.ts";
import { formatCount, formatShare, formatValue } from "../../format/number.ts";
import { ScrollTable } from "../../report/ScrollTable.tsx";

const MB = 1_000_000;

const megabytes = (bytes: number): string => `${formatCount(bytes / MB)}\u202fMB`;
const time = (iso: string | null): string => (iso === null ? "–" : formatTime(iso));

const RunLink = ({ id, text }: { id: string; text: string }) => (
  <a href={`${paths.viewer}?id=${encodeURIComponent(id)}`}>{text}</a>
);

const Facts = ({ overview }: { overview: Overview }) => {
  const { runs, lanes, queues, database } = overview;
  const most = (count: number) =>
    `${formatCount(count)}${count === runs.mostCounted ? " or more" : ""}`;
  const lanesText = ({ working, slots }: Overview["lanes"]["answering"]) =>
    `${formatCount(working)} of ${formatCount(lanes.max)} lanes, ${formatCount(slots)} requests`;
  return (
    <dl class="facts">
      {[
        ["Running", most(runs.running)],
        ["Queued", most(runs.queued)],
        ["Paused", most(runs.paused)],
        ["Stuck", formatCount(runs.listed.filter(({ activity }) => activity === "stuck").length)],
        ["Answering", lanesText(lanes.answering)],
        ["Judging", lanesText(lanes.judging)],
        ["Open reports", most(overview.reports)],
        ["Webhook events due", most(queues.deliveries)],
        ["Unpublished changes", formatCount(queues.unpublished)],
        ["Database", `${megabytes(database.bytes)} of ${megabytes(database.maxBytes)}`],
        ["Full on", database.fullOn === null ? "not in sight" : formatDate(database.fullOn)],
      ].map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
};

const Alerts = ({ alerts }: Pick<Overview, "alerts">) =>
  alerts.length === 0 ? (
    <p>No alert is open.</p>
  ) : (
    <ul>
      {alerts.map(({ message, since }) => (
        <li>
          {message} <span class="small soft">{`Since ${formatTime(since)}.`}</span>
        </li>
      ))}
    </ul>
  );

const activityText: Record<ActiveRun["activity"], string> = {
  working: "working",
  waiting: "waits for its endpoint",
  line: "waits for a lane",
  paused: "paused",
  stuck: "stuck",
};

const Runs = ({ runs }: Pick<Overview, "runs">) => (
  <section>
    <h2 id="runs">Active runs</h2>
    {runs.listed.length === 0 ? (
      <p>No run is active.</p>
    ) : (
      <ScrollTable
        label="Active runs"
        wide
        columns={[
          "Run",
          "Account",
          "Suite",
          "State",
          { num: "Samples done" },
          { num: "Failed" },
          { num: "Lanes" },
          "Latest lease until",
          "Submitted",
        ]}
      >
        <tbody>
          {runs.listed.map((run) => (
            <tr>
              <th scope="row">
                <RunLink id={run.run} text={run.model} />
              </th>
              <td>{run.owner}</td>
              <td>{run.suite}</td>
              <td>
                {run.activity === "stuck" ? <strong>stuck</strong> : activityText[run.activity]}
                {run.reason !== null && <span class="below small soft">{run.reason}</span>}
                {run.waitsUntil !== null && (
                  <span class="below small soft">until {time(run.waitsUntil)}</span>
                )}
              </td>
              <td class="num">{`${formatCount(run.done)} of ${formatCount(run.total)}`}</td>
              <td class="num">{formatCount(run.failed)}</td>
              <td class="num">{formatCount(run.lanes)}</td>
              <td class="nowrap">{time(run.leasedUntil)}</td>
              <td class="nowrap">{time(run.createdAt)}</td>
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    )}
  </section>
);

const classesText = ({ classes, lookedAt }: EndpointHealth): string => {
  const found = Object.entries(classes).sort(([, a], [, b]) => b - a);
  if (found.length === 0) return "–";
  const texts = found.map(([name, count]) => `${name.replaceAll("_", " ")} ${formatCount(count)}`);
  return `${texts.join(", ")} (of ${formatCount(lookedAt)} samples)`;
};

const Endpoints = ({ endpoints, endpointHours }: Overview) => (
  <section>
    <h2 id="endpoints">Endpoints</h2>
    <p class="small soft">{`Runs of the last ${endpointHours} hours; classes of failures among their latest samples.`}</p>
    {endpoints.length === 0 ? (
      <p>No endpoint was called.</p>
    ) : (
      <ScrollTable
        label="Endpoints"
        wide
        columns={[
          "Endpoint",
          { num: "Runs" },
          { num: "Failed runs" },
          { num: "Samples" },
          { num: "Failed" },
          { num: "Failed, share" },
          "Failures by class",
        ]}
      >
        <tbody>
          {endpoints.map((one) => (
            <tr>
              <th scope="row">{one.origin}</th>
              <td class="num">{formatCount(one.runs)}</td>
              <td class="num">{formatCount(one.failedRuns)}</td>
              <td class="num">{formatCount(one.done)}</td>
              <td class="num">{formatCount(one.failed)}</td>
              <td class="num">{one.done === 0 ? "–" : formatShare(one.failed / one.done)}</td>
              <td class="text">{classesText(one)}</td>
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    )}
  </section>
);

const SpendingTable = ({ of, rows }: { of: string; rows: readonly Spending[] }) => (
  <ScrollTable
    label={`Spending on judges by ${of.toLowerCase()}`}
    columns={[
      of,
      { num: "Cost, USD" },
      { num: "Requests" },
      { num: "Input tokens" },
      { num: "Output tokens" },
      { num: "Without a price" },
    ]}
  >
    <tbody>
      {rows.map((row) => (
        <tr>
          <th scope="row">{row.name}</th>
          <td class="num">{formatValue(row.usd, "usd")}</td>
          <td class="num">{formatCount(row.requests)}</td>
          <td class="num">{formatCount(row.inputTokens)}</td>
          <td class="num">{formatCount(row.outputTokens)}</td>
          <td class="num">{formatCount(row.unpriced)}</td>
        </tr>
      ))}
    </tbody>
  </ScrollTable>
);

const SpendingParts = ({ spending }: Pick<Overview, "spending">) => (
  <section>
    <h2 id="spending">Spending on judges</h2>
    <p class="small soft">{`Runs that ended since ${formatDate(spending.since)}, by the prices set here.`}</p>
    {spending.byJudge.length === 0 ? (
      <p>Nothing was spent.</p>
    ) : (
      <>
        <SpendingTable of="Account" rows={spending.byAccount} />
        <SpendingTable of="Judge" rows={spending.byJudge} />
      </>
    )}
  </section>
);

const Judges = ({ judges, canaries, drifts }: Overview) => {
  const warnings = judges.flatMap(({ warning }) => warning ?? []);
  const results = canaries.flatMap(({ suite, canaries: its }) =>
    its.map((canary) => ({ ...canary, suite })),
  );
  return (
    <section>
      <h2 id="judges">Judges, canaries, drift</h2>
      {warnings.length === 0 ? (
        <p>{`None of ${formatCount(judges.length)} judges needs a successor.`}</p>
      ) : (
        <ul>
          {warnings.map((warning) => (
            <li>{warning}</li>
          ))}
        </ul>
      )}
      {results.length > 0 && (
        <ScrollTable label="Canaries" columns={["Canary", "Suite", { num: "Score" }, "Verdict"]}>
          <tbody>
            {results.map(({ label, suite, headline, verdict }) => (
              <tr>
                <th scope="row">{label}</th>
                <td>{suite}</td>
                <td class="num">{formatValue(headline?.value, "score")}</td>
                <td>{verdict === "broken" ? <strong>broken</strong> : verdict}</td>
              </tr>
            ))}
          </tbody>
        </ScrollTable>
      )}
      {drifts.length === 0 ? (
        <p>No drift is flagged.</p>
      ) : (
        <ScrollTable label="Drift" columns={["Model", "Suite", "Dataset", "Cause", "Observed"]}>
          <tbody>
            {drifts.map(({ run, model, suite, dataset, attribution, observedAt }) => (
              <tr>
                <th scope="row">
                  <RunLink id={run} text={model.name} />
                </th>
                <td>{suite}</td>
                <td>{dataset.name}</td>
                <td>{attribution}</td>
                <td class="nowrap">{time(observedAt)}</td>
              </tr>
            ))}
          </tbody>
        </ScrollTable>
      )}
    </section>
  );
};

/** The state of the service. */
export const OverviewView = ({ overview }: { overview: Overview }) => (
  <>
    <h2 id="now">{`At ${formatTime(overview.at)}`}</h2>
    <Alerts alerts={overview.alerts} />
    <Facts overview={overview} />
    <Runs runs={overview.runs} />
    <Endpoints {...overview} />
    <SpendingParts spending={overview.spending} />
    <Judges {...overview} />
  </>
);
