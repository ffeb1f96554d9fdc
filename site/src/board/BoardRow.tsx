import type { LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import { unbeatenReference } from "#shared/measures/report/figures/unbeaten-reference.ts";
import type { IntervalScale } from "../charts/parts/interval-scale.ts";
import type { BoardColumn } from "../data/boards/board-columns.ts";
import { rankEnds, type StepDown } from "../data/boards/win-matrix.ts";
import { paths } from "../data/paths.ts";
import { fewSamples } from "../data/runs/run-state.ts";
import { attemptParts, attemptsText } from "../format/attempts.ts";
import { formatDate } from "../format/date.ts";
import { formatCount, formatShare } from "../format/number.ts";
import { BoardCell } from "./BoardCell.tsx";
import { RowMarks } from "./RowMarks.tsx";

interface Props {
  entry: LeaderboardEntry;
  columns: readonly BoardColumn[];
  scale: IntervalScale;
  step: StepDown[string] | undefined;
  /** The first of a group of models that do not differ significantly from it. */
  startsGroup: boolean;
  /** Load during the measurement of latency, if the column does not state it. */
  load: string | undefined;
}

/** To the minute, for sorting. */
const minuteOf = (iso: string): string => `${iso.slice(0, 16)}Z`;

/** A run's row. Attributes shared by all cells are on the table, because a hundred rows are most of a board's page. */
export const BoardRow = ({ entry, columns, scale, step, startsGroup, load }: Props) => {
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
        <a href={paths.model(model.slug)}>{model.name}</a> <TieMark entry={entry} />{" "}
        <RowMarks entry={entry} below={unbeatenReference(entry.headline, scale.references ?? [])} />
        {entry.unrankedReason && <span class="small">Not ranked: {entry.unrankedReason}</span>}
      </th>
      {columns.map((column) => (
        <BoardCell column={column} entry={entry} scale={scale} step={step} load={load} />
      ))}
      <td>
        {formatCount(n)}
        {n < fewSamples && <i> few</i>} <small>{formatShare(coverage)}</small>
      </td>
      <td>
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

/** The tie group of a model: those that are not told apart. */
const TieMark = ({ entry: { rank, tieGroup } }: Pick<Props, "entry">) => {
  if (tieGroup === null || rank === 1) return null;
  if (tieGroup === 1) return <i title="not significantly different from first">≈</i>;
  const title = `not significantly different from the first of group ${tieGroup}, or that one`;
  return <i title={title}>group {tieGroup}</i>;
};
