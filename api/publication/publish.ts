import { z } from "zod";
import {
  publishedBoardSchema,
  type SnapshotKind,
  type SnapshotRoot,
  snapshotPageSchema,
} from "#shared/contracts/boards/snapshot.ts";
import { contentHash, textHash } from "#shared/contracts/content-hash.ts";
import type { Json } from "#shared/contracts/json.ts";
import { runSchema } from "#shared/contracts/run.ts";
import { datasetChange, driftNotice } from "../drift/announce-drift.ts";
import { canaryReports } from "../drift/canaries.ts";
import { boardMessage } from "../platform/messages.ts";
import type { Platform } from "../platform/platform.ts";
import { listingOf, type NamedObject, QUERIES, withdrawnFolder } from "./published-items.ts";
import { republicationViews } from "./republication-view.ts";
import type { SnapshotChange, SnapshotItem } from "./schema.ts";

/** Items read and written concurrently: each may have megabytes. */
const AT_ONCE = 4;

/**
 * Index pages per kind; an item's id selects its page. With 10,000 runs a page lists 80, and a changed run rewrites
 * only its page.
 */
const PAGES: Readonly<Record<SnapshotKind, number>> = {
  runs: 128,
  boards: 16,
  datasets: 16,
  sweeps: 16,
  parities: 16,
};

/** How long unreferenced objects are kept for builds in progress: longer than any build takes. */
const GRACE_MS = 2 * 3_600_000;

/** Objects deleted at once, and per cron run. */
const DELETED_AT_ONCE = 500;

/** Maximum number of listed drifts, and of runs on a new dataset version. */
const MAX_DRIFTS = 500;

/** Maximum number of listed re-publications. */
const MAX_REPUBLICATIONS = 50;

export const pageKey = (hash: string) => `snapshot/pages/${hash}.json`;
export const newsKey = (hash: string) => `snapshot/news/${hash}.json`;

/**
 * Publishes what changed since the last snapshot, and requests a rebuild of the site, at most once per configured
 * interval; the cron job repeats skipped requests. False if another caller published at the same time: try again.
 */
export async function publish(platform: Platform): Promise<boolean> {
  // Read first, so that a concurrent change is published again instead of lost.
  let state = await platform.publications.state();
  if (state.changes === 0) return true;
  // True after an upgrade from an earlier release, or after restoring a database without its root.
  const isLost = state.hash !== null && !isRootOf(state.hash, state.root);
  if (isLost || state.format !== formatOf()) {
    await platform.publications.countAll(formatOf(), isLost);
    state = await platform.publications.state();
  }
  if (state.changes > state.published) {
    const written = await writeSnapshot(platform, state);
    if (written === "overtaken") return false;
    await deleteRetired(platform);
    if (written === "more") {
      await platform.queues.finish(boardMessage(null));
      return true;
    }
  }
  const now = platform.now();
  const due = state.hookCalledAt + platform.settings.rebuildIntervalMs <= now;
  if (state.changes > state.hooked && due && (await platform.callRebuildHook())) {
    await platform.publications.markHookCalled(state.changes, now);
  }
  return true;
}

const isRootOf = (hash: string, root: string | null): boolean =>
  root !== null && (JSON.parse(root) as SnapshotRoot).hash === hash;

let format: string | null = null;

/** Hash of the object schemas: after a release that changes them, all objects are published again. */
function formatOf(): string {
  format ??= contentHash(
    [runSchema, publishedBoardSchema, snapshotPageSchema].map((schema) =>
      z.toJSONSchema(schema, {
        io: "output",
        unrepresentable: "any",
        // Descriptions don't affect what is written.
        override: ({ jsonSchema }) => void delete jsonSchema.description,
      }),
    ) as unknown as Json,
  );
  return format;
}

/** Deletes objects that are due. May run concurrently. */
export async function deleteRetired(platform: Platform): Promise<void> {
  const keys = await platform.publications.retired(platform.now(), DELETED_AT_ONCE);
  if (keys.length === 0) return;
  await platform.objects.remove(keys);
  await platform.publications.forgetRetired(keys, platform.newId("pub"));
}

type State = Awaited<ReturnType<Platform["publications"]["state"]>>;

/** Objects that a pass wrote, and objects that are no longer referenced. */
interface Written {
  named: Set<string>;
  retired: Set<string>;
}

/**
 * One pass: first writes objects, then the rows that refer to them, all or nothing. After a crash the former snapshot
 * remains, and the next pass writes the same objects under the same names.
 */
async function writeSnapshot(
  platform: Platform,
  state: State,
): Promise<"done" | "more" | "overtaken"> {
  const now = platform.now();
  // A pass takes seconds; each further pass is a separate message.
  const most = platform.settings.plan.changeQueries;
  const found = await platform.publications.changed(most + 1);
  const changes = affordable(found, most);
  const isComplete = changes.length === found.length;
  // The first root is written only once everything is: readers would take a site with few of its runs for complete.
  const isWritten = state.root !== null || isComplete;
  const written: Written = { named: new Set(), retired: new Set() };
  const saved = { listed: [] as SnapshotItem[], unlisted: [] as Place[] };
  const withdrawn: string[] = [];
  const root: SnapshotRoot = { ...emptyRoot, ...JSON.parse(state.root ?? "{}") };
  const isFirst = state.root === null && isComplete;
  const pages = isFirst ? await allPages(platform, changes) : pagesOf(changes);
  const places = pages.map(({ kind, page }) => ({ kind, page }));
  const byPage = Map.groupBy(await platform.publications.pageItems(places), nameOf);
  for (const { kind, page, ids } of pages) {
    const its = byPage.get(nameOf({ kind, page })) ?? [];
    const items = new Map(its.map((item) => [item.id, item]));
    for (let i = 0; i < ids.length; i += AT_ONCE) {
      const some = ids.slice(i, i + AT_ONCE).map(async (id) => {
        const place = { kind, page, id };
        const former = items.get(id) ?? null;
        const item = await listed(platform, place, former, written);
        if (item !== null) {
          items.set(id, item);
          saved.listed.push(item);
        } else {
          items.delete(id);
          if (former !== null) saved.unlisted.push(place);
        }
        const folder = await withdrawnFolder(platform, { kind, id }, item !== null, now - GRACE_MS);
        if (folder !== null) withdrawn.push(folder);
      });
      await Promise.all(some);
    }
    if (isWritten)
      root[kind] = await withPage(platform, root[kind], { kind, page, items }, written);
  }
  const isCommitted = await platform.publications.commit(
    {
      changes,
      ...saved,
      withdrawn,
      deleteAt: now + GRACE_MS,
      root: isWritten ? await withNews(platform, root, written) : null,
      named: [...written.named],
      retired: [...written.retired],
      published: isComplete ? state.changes : state.published,
    },
    platform.newId("pub"),
    { former: state.writer, now },
  );
  if (!isCommitted) return "overtaken";
  return isComplete ? "done" : "more";
}

/** As many changes as fit into this number of queries, at least one. */
function affordable(found: readonly SnapshotChange[], queries: number): SnapshotChange[] {
  let left = queries;
  const end = found.findIndex(({ kind }, i) => {
    left -= QUERIES[kind];
    return left < 0 && i > 0;
  });
  return end === -1 ? [...found] : found.slice(0, end);
}

type Place = Pick<SnapshotItem, "kind" | "page" | "id">;

const nameOf = ({ kind, page }: Pick<Place, "kind" | "page">): string => `${kind} ${page}`;

interface ChangedPage {
  kind: SnapshotKind;
  page: number;
  ids: string[];
}

const pageOf = (kind: SnapshotKind, id: string): number =>
  Number.parseInt(textHash(id).slice(0, 8), 16) % PAGES[kind];

function pagesOf(changes: readonly Pick<SnapshotItem, "kind" | "id">[]): ChangedPage[] {
  const pages = Map.groupBy(changes, ({ kind, id }) => nameOf({ kind, page: pageOf(kind, id) }));
  return [...pages.values()].flatMap((its) => {
    const [first] = its;
    if (first === undefined) return [];
    const { kind, id } = first;
    return [{ kind, page: pageOf(kind, id), ids: its.map((change) => change.id) }];
  });
}

/** All pages, because earlier passes wrote no root. */
async function allPages(
  platform: Platform,
  changes: readonly Pick<SnapshotItem, "kind" | "id">[],
): Promise<ChangedPage[]> {
  const changed = pagesOf(changes);
  const known = new Set(changed.map(nameOf));
  const others = await platform.publications.listedPages();
  return [
    ...changed,
    ...others.flatMap((place) => (known.has(nameOf(place)) ? [] : [{ ...place, ids: [] }])),
  ];
}

/** An item as listed now; writes its object if it changed. Null: it is not listed. */
async function listed(
  platform: Platform,
  place: Place,
  former: SnapshotItem | null,
  written: Written,
): Promise<SnapshotItem | null> {
  const listing = await listingOf(platform, place);
  const key = listing?.object?.key ?? null;
  if (listing?.object && key !== former?.key) await put(platform, listing.object, written);
  if (former?.key && former.key !== key) written.retired.add(former.key);
  return listing === null ? null : { ...place, entry: listing.entry, key };
}

async function put(
  platform: Platform,
  { key, text }: NamedObject,
  { named }: Written,
): Promise<void> {
  named.add(key);
  await platform.objects.putOnce(key, text);
}

type PageRefs = SnapshotRoot["runs"];

/** The pages of a kind, with one replaced by its current items. */
async function withPage(
  platform: Platform,
  refs: PageRefs,
  { kind, page, items }: Omit<ChangedPage, "ids"> & { items: ReadonlyMap<string, SnapshotItem> },
  written: Written,
): Promise<PageRefs> {
  const former = refs.find((ref) => ref.page === page);
  const others = refs.filter((ref) => ref !== former);
  const entries = [...items.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const text = `{"kind":"${kind}","items":[${entries.map(({ entry }) => entry).join(",")}]}`;
  const hash = textHash(text);
  if (former !== undefined && former.hash !== hash) written.retired.add(pageKey(former.hash));
  if (entries.length === 0) return others;
  if (former?.hash !== hash) await put(platform, { key: pageKey(hash), text }, written);
  return [...others, { page, hash, items: entries.length }].sort((a, b) => a.page - b.page);
}

/** Served before the first publication. */
export const emptyRoot: SnapshotRoot = {
  version: 2,
  hash: "0",
  createdAt: new Date(0).toISOString(),
  runs: [],
  boards: [],
  datasets: [],
  sweeps: [],
  parities: [],
  news: null,
};

/** The root with current news, ready to write. */
async function withNews(
  platform: Platform,
  { hash: formerHash, createdAt, ...root }: SnapshotRoot,
  written: Written,
): Promise<{ hash: string; text: string }> {
  const text = JSON.stringify(await newsOf(platform));
  const news = textHash(text);
  if (news !== root.news) {
    if (root.news !== null) written.retired.add(newsKey(root.news));
    await put(platform, { key: newsKey(news), text }, written);
  }
  const content = { ...root, news };
  const hash = contentHash(content);
  const at = hash === formerHash ? createdAt : new Date(platform.now()).toISOString();
  return { hash, text: JSON.stringify({ ...content, hash, createdAt: at }) };
}

/** Lists with a maximum length, however many runs there are. */
async function newsOf(platform: Platform) {
  const drifts = (await platform.drifts.flagged(MAX_DRIFTS)).flatMap(
    (run) => driftNotice(run) ?? [],
  );
  const changed = await platform.drifts.datasetChanged(MAX_DRIFTS);
  const republications = await platform.republications.list(null, {
    after: null,
    limit: MAX_REPUBLICATIONS,
  });
  return {
    canaries: await canaryReports(platform),
    drifts,
    datasetChanges: changed.flatMap((run) => datasetChange(run) ?? []),
    republications: await republicationViews(
      platform,
      republications.filter(({ finishedAt }) => finishedAt !== null),
    ),
  };
}
