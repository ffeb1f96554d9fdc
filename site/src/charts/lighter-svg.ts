/** Plot's line of one element a datum, as one element of so many subpaths: hundreds of tags would be most of a chart. */
const lines = /(?:<line x1="[^"]+" x2="[^"]+" y1="[^"]+" y2="[^"]+"\/>){2,}/g;
const line = /x1="([^"]+)" x2="([^"]+)" y1="([^"]+)" y2="([^"]+)"/g;

/** Ticks of an axis. */
const ticks = /(?:<path transform="translate\([^)]+\)" d="M0,0L0,3"\/>){2,}/g;
const tick = /translate\(([^)]+)\)/g;

/** Of these, fewer are as short as they are. */
const rects = /(?:<rect x="[^"]+" width="[^"]+" y="[^"]+" height="[^"]+"[^>]*\/>){4,}/g;
const rect = /<rect x="([^"]+)" width="([^"]+)" y="([^"]+)" height="([^"]+)"([^>]*)\/>/g;

/** A text of one line at a place; those of several count their lines from the place's origin. */
const text = /<text(?: y="(-?)0?(\.\d+)em")? transform="translate\(([^,]+),([^)]+)\)">(?!<tspan)/g;

/**
 * The same drawing in fewer bytes: neighbours that differ in their place alone become one path, and a text stands
 * at its place without a transform. Takes what `plotSvg` has tidied.
 */
export function lighterSvg(svg: string): string {
  return svg
    .replace(lines, (its) => aPath(its.matchAll(line), lineTo))
    .replace(ticks, (its) => aPath(its.matchAll(tick), ([, at]) => `M${at}v3`))
    .replace(rects, byLook)
    .replace(text, (_, sign, em, x, y) =>
      em ? `<text x="${x}" y="${y}" dy="${sign}${em}em">` : `<text x="${x}" y="${y}">`,
    );
}

type Match = RegExpMatchArray;

const aPath = (its: Iterable<Match>, subpath: (one: Match) => string, look = ""): string =>
  `<path d="${[...its].map(subpath).join("")}"${look}/>`;

function lineTo([, x1, x2, y1, y2]: Match): string {
  if (x1 === x2) return `M${x1},${y1}V${y2}`;
  return y1 === y2 ? `M${x1},${y1}H${x2}` : `M${x1},${y1}L${x2},${y2}`;
}

const around = ([, x, width, y, height]: Match): string =>
  `M${x},${y}h${width}v${height}h-${width}z`;

/** Rectangles of one mark don't overlap, so that their order is of no account. */
function byLook(its: string): string {
  const looks = Map.groupBy(its.matchAll(rect), (one) => one[5] ?? "");
  return [...looks].map(([look, alike]) => aPath(alike, around, look)).join("");
}
