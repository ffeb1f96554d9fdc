import { paths } from "../data/paths.ts";
import { apiUrl, type ShownRun, siteUrl, statementUrl } from "./shown-run.ts";

/** Actions on a report: compare, share, download. */
export const RunActions = ({ report }: { report: ShownRun }) => {
  const { run, place } = report;
  const badge =
    run.visibility === "public" ? siteUrl(place, paths.model(run.model.slug)) : undefined;
  return (
    <div class="run-actions">
      <Compare report={report} />
      {place.url !== null && (
        <span id="run-link">
          <code class="unseen">{place.url}</code>
          <button
            type="button"
            class="action action-plain"
            data-copies="run-link"
            aria-live="polite"
            hidden
          >
            Copy link
          </button>
        </span>
      )}
      {badge !== undefined && (
        <a class="action action-plain" href={`${badge}#badge`}>
          Badge
        </a>
      )}
      <Downloads report={report} />
    </div>
  );
};

const Compare = ({ report: { run, place } }: { report: ShownRun }) => {
  const rival = place.standing?.rival ?? null;
  const runs = rival === null ? run.id : `${run.id},${rival.run}`;
  const href = siteUrl(place, `${paths.compare}?${new URLSearchParams({ runs })}`);
  return href === undefined ? null : (
    <a class="action" href={href}>
      {rival === null ? "Compare" : `Compare with ${rival.name}`}
    </a>
  );
};

const Downloads = ({ report }: { report: ShownRun }) => {
  const { run, place } = report;
  const { apiOrigin: origin } = place;
  if (origin === null) return null;
  const { self, samples } = run.links;
  const files = [
    { path: `${self}/report.md`, label: "This report", kind: "Markdown" },
    { path: self, label: "The run", kind: "JSON" },
    { path: `${self}/aggregates.csv`, label: "Its figures", kind: "CSV" },
    ...(run.hiddenSamples
      ? []
      : [
          { path: samples, label: "Samples with scores", kind: "JSON" },
          { path: `${samples}.csv`, label: "Samples with scores", kind: "CSV" },
          { path: `${samples}.jsonl`, label: "Samples with all counts", kind: "JSON lines" },
          { path: `${self}/fields.csv`, label: "Scored parts", kind: "CSV" },
        ]),
  ];
  const statement = statementUrl(report);
  return (
    <details class="menu">
      <summary class="action action-plain">Download</summary>
      <ul>
        {files.map(({ path, label, kind }) => (
          <li>
            <a href={apiUrl(origin, path)}>
              {label}, {kind}
            </a>
          </li>
        ))}
        {statement !== undefined && (
          <li>
            <a href={statement}>Signed statement, JSON</a>
          </li>
        )}
      </ul>
    </details>
  );
};
