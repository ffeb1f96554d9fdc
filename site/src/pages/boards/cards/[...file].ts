import { inParallel } from "#shared/contracts/boards/in-parallel.ts";
import { cardPng, dropOtherCards } from "../../../cards/card-png.ts";
import { type SiteCard, siteCards } from "../../../cards/site-cards.ts";

// Drawing takes threads of its own, so that two keep a small machine busy.
const atOnce = 4;

export async function getStaticPaths() {
  const cards = siteCards();
  await inParallel(cards, atOnce, async ({ card }) => void (await cardPng(card)));
  await dropOtherCards(cards.map(({ card }) => card));
  return cards.map((one) => ({ params: { file: fileOf(one) }, props: one }));
}

const fileOf = ({ path }: SiteCard): string =>
  decodeURIComponent(path).replace("/boards/cards/", "");

export const GET = async ({ props: { card } }: { props: SiteCard }) =>
  new Response(new Uint8Array(await cardPng(card)), { headers: { "content-type": "image/png" } });
