import type { Ban, ReaderReport } from "#shared/contracts/operator/report.ts";
import { reportKinds } from "#shared/contracts/operator/report-kinds.ts";
import { paths } from "../../data/paths.ts";
import { formatTime } from "../../format/date.ts";

const actions = {
  open: [
    ["dismiss", "Dismiss"],
    ["hide", "Hide the run"],
    ["ban", "Ban the account"],
  ],
  decided: [["undo", "Undo"]],
} as const;

const Reason = ({ id }: { id: string }) => (
  <div class="field">
    <label for={`reason-${id}`}>Reason</label>
    <input id={`reason-${id}`} name="reason" autocomplete="off" required maxlength={500} />
  </div>
);

const stateText = ({ state, decidedBy, decidedAt, reason }: ReaderReport): string => {
  const by = decidedBy === null ? "" : ` by ${decidedBy}`;
  const at = decidedAt === null ? "" : ` on ${formatTime(decidedAt)}`;
  return `${state}${by}${at}${reason === null ? "" : `: ${reason}`}`;
};

const ReportItem = ({ report }: { report: ReaderReport }) => {
  const { id, at, run, kind, message, reporter, state } = report;
  return (
    <li>
      <h3>
        {reportKinds[kind]}:{" "}
        <a href={`${paths.viewer}?id=${encodeURIComponent(run.id)}`}>{run.model ?? run.id}</a>
      </h3>
      <p class="small soft">
        {`${formatTime(at)}, by ${reporter ?? "a reader without an account"}; account of the run: ${run.owner ?? "deleted"}; ${stateText(report)}`}
      </p>
      <p>{message}</p>
      <form class="form" data-report={id}>
        <Reason id={id} />
        <div class="run-actions">
          {actions[state === "open" ? "open" : "decided"].map(([value, label]) => (
            <button type="submit" class="action action-plain" value={value}>
              {label}
            </button>
          ))}
        </div>
      </form>
    </li>
  );
};

/** Readers' reports with possible actions, and banned accounts. */
export const ModerationView = ({
  reports,
  bans,
}: {
  reports: readonly ReaderReport[];
  bans: readonly Ban[];
}) => (
  <section>
    <h2 id="reports">Reports by readers</h2>
    {reports.length === 0 ? (
      <p>No report is open.</p>
    ) : (
      <ul>
        {reports.map((report) => (
          <ReportItem report={report} />
        ))}
      </ul>
    )}
    <h2>Banned accounts</h2>
    {bans.length === 0 ? (
      <p>No account is banned.</p>
    ) : (
      <ul>
        {bans.map(({ owner, reason, by, at }) => (
          <li>
            <h3>{owner}</h3>
            <p class="small soft">{`by ${by} on ${formatTime(at)}: ${reason}`}</p>
            <form class="form" data-ban={owner}>
              <Reason id={`ban-${owner}`} />
              <div class="run-actions">
                <button type="submit" class="action action-plain" value="lift">
                  Lift the ban
                </button>
              </div>
            </form>
          </li>
        ))}
      </ul>
    )}
  </section>
);
