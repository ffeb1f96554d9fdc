import type { APIRoute, GetStaticPaths } from "astro";
import { inParallel } from "#shared/contracts/boards/in-parallel.ts";
import { cardPng, dropOtherCards } from "../../cards/card-png.ts";
import { type SiteCard, siteCards } from "../../cards/site-cards.ts";

// Drawing takes threads of its own, so that two keep a small machine busy.
const atOnce = 4;

export const getStaticPaths = (async () => {
  const cards = siteCards();
  await inParallel(cards, atOnce, async ({ card }) => void (await cardPng(card)));
  await dropOtherCards(cards.map(({ card }) => card));
  return cards.map((one) => ({ params: { file: fileOf(one) }, props: one }));
}) satisfies GetStaticPaths;

const fileOf = ({ path }: SiteCard): string => decodeURIComponent(path).replace("/cards/", "");

export const GET: APIRoute<SiteCard> = async ({ props: { card } }) =>
  new Response(new Uint8Array(await cardPng(card)), { headers: { "content-type": "image/png" } });
