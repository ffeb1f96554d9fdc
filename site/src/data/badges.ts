import type { RunModel } from "#shared/contracts/run.ts";
import { escapeXml } from "../format/xml.ts";
import { encodeSlug, paths } from "./paths.ts";

/** A badge of a model, with the code to embed it. */
export type Badge = ReturnType<typeof badgeOf>;

interface Origins {
  apiOrigin: string;
  siteOrigin: string;
}

type BadgedModel = Pick<RunModel, "slug" | "simulated">;

/** A model's badge with the suite that the service chooses; with results in several suites, also one badge for each. */
export function badgesOf(
  model: BadgedModel,
  suites: readonly { id: string; label: string }[],
  origins: Origins,
): Badge[] {
  const newest = badgeOf(model, null, origins);
  return suites.length < 2
    ? [newest]
    : [newest, ...suites.map((suite) => badgeOf(model, suite, origins))];
}

function badgeOf(
  { slug, simulated }: BadgedModel,
  suite: { id: string; label: string } | null,
  { apiOrigin, siteOrigin }: Origins,
) {
  const query = suite === null ? "" : `?suite=${encodeURIComponent(suite.id)}`;
  const path = `/badge/${encodeSlug(slug)}.svg${query}`;
  // Alternative text of the image.
  const whose = `Assay score of ${simulated ? "the simulated model " : ""}${slug}`;
  const alt = suite === null ? whose : `${whose}: ${suite.label}`;
  const [image, page] = [`${apiOrigin}${path}`, `${siteOrigin}${paths.model(slug)}`];
  return {
    /** Its suite; null if the service chooses: the newest ranked result of the first suite, or else of any. */
    suite: suite?.label ?? null,
    /** Path of the image on this service. */
    path,
    alt,
    markdown: `[![${alt}](${image})](${page})`,
    html: `<a href="${escapeXml(page)}"><img src="${escapeXml(image)}" alt="${escapeXml(alt)}"></a>`,
  };
}
