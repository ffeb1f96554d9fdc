import { escapeXml } from "../format/xml.ts";
import type { FeedEntry } from "./feed-entry.ts";
import { paths } from "./paths.ts";
import { tagUri } from "./tag-uri.ts";

/** As many as a reader that looks in once a week needs. */
const MAX_ENTRIES = 50;

/** What a feed is of; its addresses are paths of the site. */
export interface FeedHead {
  title: string;
  /** What tells it from other feeds, for good. */
  id: string;
  self: string;
  /** The page that shows the same. */
  page: string;
  /** When there are no entries: since when. */
  updated: string;
}

/** The feed of all new results. */
export const wholeFeed = {
  title: "Assay: new results",
  id: "results",
  self: paths.feed,
  page: "/",
};

/**
 * An Atom feed, newest entry first. Written here and not by a library, since names are anybody's text: as XML
 * holds it, and as text where a library has titles be HTML. Source: RFC 4287.
 */
export function atomFeed(head: FeedHead, entries: readonly FeedEntry[], origin: string): string {
  const newest = entries
    .toSorted((a, b) => b.updated.localeCompare(a.updated))
    .slice(0, MAX_ENTRIES);
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
  <title>${escapeXml(head.title)}</title>
  <id>${escapeXml(tagUri(origin, head.id))}</id>
  <link rel="self" type="application/atom+xml" href="${escapeXml(origin + head.self)}"/>
  <link rel="alternate" type="text/html" href="${escapeXml(origin + head.page)}"/>
  <updated>${escapeXml(newest[0]?.updated ?? head.updated)}</updated>
  <author><name>Assay</name></author>
${newest.map((entry) => entryXml(entry, origin)).join("")}</feed>
`;
}

function entryXml({ title, id, page, updated, category, facts }: FeedEntry, origin: string) {
  const address = escapeXml(origin + page);
  const [summary = "", ...details] = facts;
  const items = details.map((fact) => `<li>${escapeXml(fact)}</li>`).join("");
  const html = `<p>${escapeXml(summary)}</p><ul>${items}</ul>`;
  return `  <entry>
    <title>${escapeXml(title)}</title>
    <id>${escapeXml(tagUri(origin, id))}</id>
    <link rel="alternate" type="text/html" href="${address}"/>
    <updated>${escapeXml(updated)}</updated>
    <category term="${escapeXml(category.term)}" label="${escapeXml(category.label)}"/>
    <summary>${escapeXml(summary)}</summary>
    <content type="html">${escapeXml(html)}</content>
  </entry>
`;
}
