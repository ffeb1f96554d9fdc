import type { LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import type { PublicOwner } from "#shared/contracts/keys/account.ts";
import { unbeatenReference } from "#shared/measures/report/figures/reference-bars.ts";
import type { IntervalScale } from "../charts/parts/interval-scale.ts";
import type { BoardColumn } from "../data/boards/board-columns.ts";
import type { GroupPlace } from "../data/boards/group-places.ts";
import { rankEnds, type StepDown } from "../data/boards/win-matrix.ts";
import { costMetric, latencyMetric } from "../data/metrics.ts";
import { paths } from "../data/paths.ts";
import { fewSamples } from "../data/runs/run-state.ts";
import { attemptParts, attemptsText } from "../format/attempts.ts";
import { formatDate } from "../format/date.ts";
import { formatCount, formatShare, formatValue } from "../format/number.ts";
import { OwnerMark } from "../report/ModelMarks.tsx";
import { BoardCell } from "./BoardCell.tsx";
import { RowMarks } from "./RowMarks.tsx";

interface Props extends GroupPlace {
  entry: LeaderboardEntry;
  columns: readonly BoardColumn[];
  scale: IntervalScale;
  step: StepDown[string] | undefined;
  /** Load during the measurement of latency, if the column does not state it. */
  load: string | undefined;
  /** The submitter; undefined: an account without a name. */
  owner: PublicOwner | undefined;
  /** Whether simulated models are marked, because only some models of the table are. */
  marksSimulated: boolean;
}

/** Time to the minute, for sorting. */
const minuteOf = (iso: string): string => `${iso.slice(0, 16)}Z`;

/** A run's row. Attributes shared by all cells are on the table, because a hundred rows are most of a board's page. */
export const BoardRow = (props: Props) => {
  const { entry, columns, scale, step, startsGroup, tiedWith, load, owner, marksSimulated } = props;
  const { model, provenance, n, coverage, attempts } = entry;
  const attemptsNote = attemptsText(attempts);
  return (
    <tr
      class={startsGroup ? "tier" : undefined}
      data-tie={entry.tieGroup ?? undefined}
      data-provenance={provenance.kind}
      data-simulated={model.simulated ? "" : undefined}
    >
      <RankCell entry={entry} />
      <th scope="row" class="model">
        <a href={paths.model(model.slug)}>{model.name}</a> <TieMark tiedWith={tiedWith} />{" "}
        <RowMarks
          entry={entry}
          below={unbeatenReference(entry.headline, scale.references ?? [])}
          marksSimulated={marksSimulated}
        />
        <OwnerMark owner={owner} />
        <Brief entry={entry} />
        {entry.unrankedReason && <span class="small">Not ranked: {entry.unrankedReason}</span>}
      </th>
      {columns.map((column) => (
        <BoardCell column={column} entry={entry} scale={scale} step={step} load={load} />
      ))}
      <td class="k">
        {formatCount(n)}
        {n < fewSamples && <i> few</i>} <small>{formatShare(coverage)}</small>
      </td>
      <td class="k">
        <time datetime={minuteOf(entry.finishedAt)}>{formatDate(entry.finishedAt)}</time>{" "}
        <small>
          <a href={paths.run(entry.run)}>Report</a>
        </small>
        {attemptsNote && (
          <small class="attempts" title={attemptParts(attempts)}>
            {attemptsNote}
          </small>
        )}
      </td>
    </tr>
  );
};

const RankCell = ({ entry }: Pick<Props, "entry">) => {
  const ends = rankEnds(entry);
  return (
    <td class="rank">
      <strong>{entry.rank ?? "–"}</strong>
      {ends && <i> {ends}</i>} {entry.best !== null && <small>{formatShare(entry.best)}</small>}
    </td>
  );
};

/** Names the first model of the tie group. */
const TieMark = ({ tiedWith }: Pick<Props, "tiedWith">) =>
  tiedWith && (
    <i title={`not significantly different from rank ${tiedWith.rank}, ${tiedWith.name}`}>
      ≈ with {tiedWith.rank}
    </i>
  );

/** Cost, latency and report on phones, which have no columns for them. */
const Brief = ({ entry: { metrics, run } }: Pick<Props, "entry">) => {
  const [cost, latency] = [metrics[costMetric]?.value, metrics[latencyMetric]?.value];
  const parts = [
    cost == null ? "" : `${formatValue(cost, "usd")} per 1,000`,
    latency == null ? "" : `p95 ${formatValue(latency, "ms")}`,
  ].filter(Boolean);
  return (
    <small class="brief">
      {parts.map((part) => (
        <>
          <span>{part}</span> ·{" "}
        </>
      ))}
      <a href={paths.run(run)}>Report</a>
    </small>
  );
};
