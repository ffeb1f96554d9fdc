import { boardScale } from "../data/boards/board-scale.ts";
import { boardOfRun, boardPages, defaultBoards, entriesOfBoard } from "../data/boards/boards.ts";
import type { BoardPage } from "../data/boards/place-boards.ts";
import { CARDS_PER_BOARD, modelsWithPage, runsWithPage } from "../data/page-files.ts";
import { paths, siteCardPath } from "../data/paths.ts";
import type { Card } from "./card-svg.ts";
import { type BoardOfCard, boardCard, comparisonCard, modelCard, runCard } from "./result-cards.ts";

export interface SiteCard {
  path: string;
  card: Card;
}

const scales = new Map(boardPages.map(({ board }) => [board.id, boardScale(board)]));

const ofPage = ({ board }: BoardPage): BoardOfCard => ({
  board,
  entries: entriesOfBoard.get(board.id) ?? [],
  scale: scales.get(board.id)!,
});

const withCard = new Map(
  boardPages
    .toReversed()
    .flatMap((page) =>
      page.board.entries
        .slice(0, CARDS_PER_BOARD)
        .map((entry) => [entry.run, { page, entry }] as const),
    ),
);
const hasPage = new Set(runsWithPage.map(({ id }) => id));

const runCards = (): SiteCard[] =>
  [...withCard].flatMap(([run, { page, entry }]) =>
    hasPage.has(run) ? [{ path: paths.card("runs", run), card: runCard(ofPage(page), entry) }] : [],
  );

const boardCards = (): SiteCard[] =>
  boardPages.map((page) => ({
    path: paths.card("boards", page.board.id),
    card: boardCard(ofPage(page)),
  }));

const pagesById = new Map(boardPages.map((page) => [page.board.id, page]));

const carded = modelsWithPage.filter(({ places }) =>
  places.some(({ entry }) => withCard.has(entry.run)),
);

const modelCards = (): SiteCard[] =>
  carded.map(({ model, places }) => ({
    path: paths.card("models", model.slug),
    card: modelCard(
      model,
      places.flatMap(({ board, entry }) => {
        const page = pagesById.get(board.id);
        return page && entry.headline.value !== null ? [{ ...ofPage(page), entry }] : [];
      }),
    ),
  }));

/** The first two models of a board with their comparison. */
export interface FirstTwo {
  page: BoardPage;
  pair: readonly [BoardPage["board"]["entries"][number], BoardPage["board"]["entries"][number]];
  path: string;
}

/** A page for each default board that ranks two models. */
export const firstTwo: readonly FirstTwo[] = defaultBoards.flatMap((page) => {
  const [first, second] = page.board.entries.filter(({ rank }) => rank !== null);
  const path = paths.comparison(page.board.suite, page.board.dataset.name);
  return first && second ? [{ page, pair: [first, second] as const, path }] : [];
});

const comparisonCards = (): SiteCard[] =>
  firstTwo.map(({ page, pair }) => ({
    path: paths.card("compare", page.board.id),
    card: comparisonCard(ofPage(page), pair, page.board.tests?.pHolm[1]?.[0] ?? null),
  }));

/** The card of pages without a result. */
const siteCard: SiteCard = {
  path: siteCardPath,
  card: {
    topic: "Scores with intervals, reports, leaderboards, badges",
    title: "Language models, evaluated in the open",
    rows: [],
    marks: [],
    foot: "Scores are measurements: read them with their intervals.",
  },
};

export const siteCards = (): SiteCard[] => [
  siteCard,
  ...boardCards(),
  ...runCards(),
  ...modelCards(),
  ...comparisonCards(),
];

/** The card of a run's page: its own, or else that of its board. */
export function cardOfRun(run: string): string | undefined {
  if (withCard.has(run)) return paths.card("runs", run);
  const page = boardOfRun(run);
  return page && paths.card("boards", page.board.id);
}

const cardedSlugs = new Set(carded.map(({ model }) => model.slug));

/** The card of a model's page, if it has one. */
export const cardOfModel = (slug: string): string | undefined =>
  cardedSlugs.has(slug) ? paths.card("models", slug) : undefined;
