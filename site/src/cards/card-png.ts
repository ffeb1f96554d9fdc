import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { settings } from "../data/settings.ts";
import { type Card, cardSvg } from "./card-svg.ts";

const folder = join(settings.cacheDir, "cards");

/**
 * Part of the names of cached cards: change it when the drawing changes, because a card's content does not show that.
 */
const DRAWING = 1;

const nameOf = (card: Card): string =>
  `${createHash("sha256")
    .update(JSON.stringify([DRAWING, card]))
    .digest("hex")}.png`;

const drawing = new Map<string, Promise<Buffer>>();

/** A card as a PNG with a palette, about 15 kB. Reuses the image of an earlier build if the content is the same. */
export async function cardPng(card: Card): Promise<Buffer> {
  const name = nameOf(card);
  const png = drawing.get(name) ?? readOrDraw(card, name);
  drawing.set(name, png);
  try {
    return await png;
  } finally {
    drawing.delete(name);
  }
}

async function readOrDraw(card: Card, name: string): Promise<Buffer> {
  const file = join(folder, name);
  const known = await readFile(file).catch(() => null);
  if (known !== null) return known;
  const png = await sharp(Buffer.from(cardSvg(card)))
    .png({ palette: true, colours: 16, dither: 0, effort: 2 })
    .toBuffer();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(`${file}.part`, png);
  await rename(`${file}.part`, file);
  return png;
}

/** Removes the cards of earlier builds that are not among `cards`. */
export async function dropOtherCards(cards: readonly Card[]): Promise<void> {
  const wanted = new Set(cards.map(nameOf));
  for (const name of await readdir(folder).catch(() => [])) {
    if (!wanted.has(name)) await rm(join(folder, name), { force: true });
  }
}
