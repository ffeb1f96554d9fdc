import { datasetPath } from "../datasets.ts";
import { runs } from "../results.ts";
import type { BoardPage } from "./place-boards.ts";
import { boardPath, republications } from "./republications.ts";
import { tagsOf } from "./tag-table.ts";

const runsById = new Map(runs.map((run) => [run.id, run]));
const moved = republications.map((one) => [
  one,
  boardPath(one.from.board),
  boardPath(one.to.board),
]);

/** All that pages of a board are drawn from. */
export const boardInputs = (page: BoardPage) => ({
  page,
  runs: page.board.entries.map(({ run }) => runsById.get(run)),
  tags: tagsOf(page),
  dataset: datasetPath(page.board.suite, page.board.dataset.name),
  moved: [moved, boardPath(page.board.supersededBy)],
});
