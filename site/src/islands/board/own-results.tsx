import type { Leaderboard, LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import type { Parity } from "#shared/contracts/boards/parity.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import { parityTables } from "#shared/measures/gates/parity-table.ts";
import { removedTexts } from "#shared/measures/gates/parity-verdict.ts";
import { paths } from "../../data/paths.ts";
import { formatDate } from "../../format/date.ts";
import { formatCount, formatInterval, formatShare, formatValue } from "../../format/number.ts";
import { ScrollTable } from "../../report/ScrollTable.tsx";
import { getJson } from "../api.ts";
import { findPart } from "../find-part.ts";
import type { ListedSuite } from "../listed-suite.ts";
import { hasShare, takeShare } from "../page-access.ts";
import { offerForm, say } from "../page-state.ts";
import { readSession } from "../session.tsx";

interface ResultTable {
  label: string;
  columns: readonly { label: string; isNumber: boolean }[];
  /** For each row, its run and the text of each column. */
  rows: readonly { run: string; cells: readonly string[] }[];
}

const ResultsTable = ({ label, columns, rows }: ResultTable) => (
  <ScrollTable
    label={label}
    wide
    columns={columns.map((column) => (column.isNumber ? { num: column.label } : column.label))}
  >
    <tbody>
      {rows.map(({ run, cells: [name, ...cells] }) => (
        <tr>
          <th scope="row" class="nowrap">
            {hasShare() ? (
              name
            ) : (
              <a href={`${paths.viewer}?id=${encodeURIComponent(run)}`}>{name}</a>
            )}
          </th>
          {cells.map((cell, i) => (
            <td class={columns[i + 1]?.isNumber ? "num" : undefined}>{cell}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </ScrollTable>
);

const SimulatedNote = () => (
  <p class="notice">Simulated models: these are not results of real ones.</p>
);

function BoardView({
  board,
  suite,
}: {
  board: Leaderboard;
  suite: Pick<ListedSuite, "label" | "metrics">;
}) {
  const { entries, dataset, headline } = board;
  const { metrics } = suite;
  const shown = [...new Set([headline, ...entries.flatMap((one) => Object.keys(one.metrics))])];
  const known = shown.flatMap((id) => metrics.find((metric) => metric.id === id) ?? []);
  const value = ({ metrics: its }: LeaderboardEntry, { id, format }: Metric) =>
    formatValue(its[id]?.value, format);
  const [first, ...others] = known;
  const number = (label: string) => ({ label, isNumber: true });
  return (
    <>
      <h1>Own runs on {dataset.name}</h1>
      <p class="lead">
        {formatCount(entries.length)} models of one account in {suite.label}, on{" "}
        {formatCount(dataset.samples)} samples, by {first?.label ?? headline}.
      </p>
      {entries.some(({ model }) => model.simulated) && <SimulatedNote />}
      <ResultsTable
        label={`Own runs on ${dataset.name}`}
        columns={[
          { label: "Model", isNumber: false },
          number("Rank"),
          ...(first ? [number(first.label), number("95% interval")] : []),
          ...others.map(({ label }) => number(label)),
          number("Samples"),
          number("Coverage"),
          number("Finished"),
        ]}
        rows={entries.map((entry) => ({
          run: entry.run,
          cells: [
            entry.model.name,
            `${entry.rank ?? entry.unrankedReason ?? "–"}`,
            ...(first
              ? [value(entry, first), formatInterval(entry.headline.interval, first.format)]
              : []),
            ...others.map((metric) => value(entry, metric)),
            formatCount(entry.n),
            formatShare(entry.coverage),
            formatDate(entry.finishedAt),
          ],
        }))}
      />
    </>
  );
}

const ParityView = ({ parity, metrics }: { parity: Parity; metrics: readonly Metric[] }) => (
  <>
    <h1>
      {parity.model}: {parity.name}
    </h1>
    <p class="lead">{parity.verdict}</p>
    {parity.simulated && <SimulatedNote />}
    {parityTables(parity, metrics).map(({ addedBy, columns, hosts, rows }) => (
      <ResultsTable
        label={addedBy === null ? "Hosts" : `Hosts that ${addedBy} added`}
        columns={columns}
        rows={rows.map((cells, i) => ({ run: hosts[i]!.run, cells }))}
      />
    ))}
    <p class="prose">{removedTexts(parity).join(" ")}</p>
  </>
);

/** Query parameters that name a board; the API refuses others, such as those that mail programs add. */
const boardNames = new Set(["suite", "dataset", "headline"]);

/** The requested results as HTML; null if none are requested. */
async function viewOf(asked: URLSearchParams): Promise<unknown> {
  const parity = asked.get("parity");
  const dataset = asked.get("dataset");
  if (parity === null && dataset === null) return null;
  const { suites } = await getJson<{ suites: ListedSuite[] }>("/v1/suites");
  const suiteOf = (asked: string) =>
    suites.find(({ id }) => id === asked) ?? { label: asked, metrics: [] };
  if (parity !== null) {
    const path = parity.split("/").map(encodeURIComponent).join("/");
    const found = await getJson<Parity>(`/v1/parities/${path}`);
    return <ParityView parity={found} metrics={suiteOf(found.suite).metrics} />;
  }
  const named = [...asked].filter(([name]) => boardNames.has(name));
  const query = new URLSearchParams([...named, ["mine", "true"]]);
  const board = await getJson<Leaderboard>(`/v1/leaderboard?${query}`);
  return <BoardView board={board} suite={suiteOf(board.suite)} />;
}

async function show(): Promise<void> {
  takeShare();
  const asked = new URLSearchParams(location.search);
  say("Loading…");
  // Acts for the organisation for which the pages of this tab act.
  if (!hasShare()) await readSession().catch(() => null);
  const view = await viewOf(asked);
  say(null);
  if (view === null) return offerForm("");
  findPart(document, "[data-intro]").hidden = true;
  findPart(document, "[data-own]").innerHTML = String(view);
}

await show().catch((error: Error) => {
  say(`It could not be shown: ${error.message}.`);
  offerForm(new URLSearchParams(location.search).get("dataset") ?? "");
});
