import { inParallel } from "#shared/contracts/boards/in-parallel.ts";
import { cardPng, dropOtherCards } from "../../../cards/card-png.ts";
import { type SiteCard, siteCards } from "../../../cards/site-cards.ts";

// Drawing uses threads of its own, which work while the inputs of other pages are read.
const atOnce = 4;

export async function getStaticPaths() {
  const cards = siteCards();
  await dropOtherCards(cards.map(({ card }) => card));
  // Errors are ignored here: each card is requested again below, and fails there.
  inParallel(cards, atOnce, async ({ card }) => void (await cardPng(card))).catch(() => {});
  return cards.map((one) => ({ params: { file: fileOf(one) }, props: one }));
}

const fileOf = ({ path }: SiteCard): string =>
  decodeURIComponent(path).replace("/boards/cards/", "");

export const GET = async ({ props: { card } }: { props: SiteCard }) =>
  new Response(new Uint8Array(await cardPng(card)), { headers: { "content-type": "image/png" } });
