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
import { listingOf, type NamedObject, withdrawnFolder } from "./published-items.ts";
import { republicationViews } from "./republication-view.ts";
import type { SnapshotItem } from "./schema.ts";

/** Changes of one pass, which takes seconds: more are published by a message for each pass. */
const CHANGES_A_PASS = 300;
/** Items read and written at once: each may take megabytes. */
const AT_ONCE = 4;

/** Pages that items are spread over by their ids: of 10,000 runs each lists 80, and a change of one writes its page again. */
const PAGES: Readonly<Record<SnapshotKind, number>> = {
  runs: 128,
  boards: 16,
  datasets: 16,
  sweeps: 16,
};

/** What a snapshot names no more is kept for builds that began before: longer than any of them takes. */
const GRACE_MS = 2 * 3_600_000;

/** Objects that are deleted at once, and by one cron run. */
const DELETED_AT_ONCE = 500;

/** Newest drifts that are listed, and as many runs on another version of their dataset. */
const MAX_DRIFTS = 500;

/** Newest re-publications that are listed. */
const MAX_REPUBLICATIONS = 50;

export const pageKey = (hash: string) => `snapshot/pages/${hash}.json`;
export const newsKey = (hash: string) => `snapshot/news/${hash}.json`;

/** Where earlier versions kept snapshots, each of them whole. */
const FORMER_FOLDER = "snapshots/";

/**
 * Writes what changed since the last snapshot, and asks for a rebuild of the site, at most once in the deployment's
 * interval; the cron job asks again for what was held back. False where another published at the same time: try again.
 */
export async function publish(platform: Platform): Promise<boolean> {
  // Read before anything else is: a change in between is published once more, never lost.
  let state = await platform.publications.state();
  if (state.changes === 0) return true;
  // An earlier release leaves another hash, and whoever has restored a database removes the root.
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

/** Hash of what objects look like: after a release in which that changes, all of them are published again. */
function formatOf(): string {
  format ??= contentHash(
    [runSchema, publishedBoardSchema, snapshotPageSchema].map((schema) =>
      z.toJSONSchema(schema, {
        io: "output",
        unrepresentable: "any",
        // Words about a field change nothing of what is written.
        override: ({ jsonSchema }) => void delete jsonSchema.description,
      }),
    ) as unknown as Json,
  );
  return format;
}

/** Deletes objects whose time has come. Any number of callers may do so at once. */
export async function deleteRetired(platform: Platform): Promise<void> {
  const keys = await platform.publications.retired(platform.now(), DELETED_AT_ONCE);
  if (keys.length === 0) return;
  await platform.objects.remove(keys);
  await platform.publications.forgetRetired(keys, platform.newId("pub"));
}

async function deleteFormer({ objects }: Platform): Promise<void> {
  for (;;) {
    const keys = await objects.keys(FORMER_FOLDER);
    if (keys.length === 0) return;
    await objects.remove(keys);
  }
}

type State = Awaited<ReturnType<Platform["publications"]["state"]>>;

/** Objects that a pass has written, and that are named no more. */
interface Written {
  named: Set<string>;
  retired: Set<string>;
}

/**
 * One pass: objects first, then the rows that name them, all or nothing. Whatever dies in between leaves the former
 * snapshot; the next pass writes the same objects under the same names.
 */
async function writeSnapshot(
  platform: Platform,
  state: State,
): Promise<"done" | "more" | "overtaken"> {
  const now = platform.now();
  const found = await platform.publications.changed(CHANGES_A_PASS + 1);
  const changes = found.slice(0, CHANGES_A_PASS);
  const isComplete = found.length <= CHANGES_A_PASS;
  // The first root is written when all is there: a site without most of its runs would be taken for the whole.
  const isWritten = state.root !== null || isComplete;
  const written: Written = { named: new Set(), retired: new Set() };
  const saved = { listed: [] as SnapshotItem[], unlisted: [] as Place[] };
  const withdrawn: string[] = [];
  const root: SnapshotRoot = state.root === null ? { ...emptyRoot } : JSON.parse(state.root);
  const isFirst = state.root === null && isComplete;
  for (const { kind, page, ids } of isFirst
    ? await allPages(platform, changes)
    : pagesOf(changes)) {
    const items = new Map(
      (await platform.publications.pageItems(kind, page)).map((item) => [item.id, item]),
    );
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
  if (isFirst) await deleteFormer(platform);
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

type Place = Pick<SnapshotItem, "kind" | "page" | "id">;

/** What changed on a page. */
interface ChangedPage {
  kind: SnapshotKind;
  page: number;
  ids: string[];
}

const pageOf = (kind: SnapshotKind, id: string): number =>
  Number.parseInt(textHash(id).slice(0, 8), 16) % PAGES[kind];

function pagesOf(changes: readonly Pick<SnapshotItem, "kind" | "id">[]): ChangedPage[] {
  const pages = Map.groupBy(changes, ({ kind, id }) => `${kind} ${pageOf(kind, id)}`);
  return [...pages.values()].flatMap((its) => {
    const [first] = its;
    if (first === undefined) return [];
    const { kind, id } = first;
    return [{ kind, page: pageOf(kind, id), ids: its.map((change) => change.id) }];
  });
}

/** Every page, since passes before this one wrote none. */
async function allPages(
  platform: Platform,
  changes: readonly Pick<SnapshotItem, "kind" | "id">[],
): Promise<ChangedPage[]> {
  const changed = pagesOf(changes);
  const known = new Set(changed.map(({ kind, page }) => `${kind} ${page}`));
  const others = await platform.publications.listedPages();
  return [
    ...changed,
    ...others.flatMap(({ kind, page }) =>
      known.has(`${kind} ${page}`) ? [] : [{ kind, page, ids: [] }],
    ),
  ];
}

/** An item as it is listed now, its object written where it is another than before; null: it is not listed. */
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

/** The pages of a kind with one that is written as its items are now. */
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

/** What is served where nothing was published yet. */
export const emptyRoot: SnapshotRoot = {
  version: 2,
  hash: "0",
  createdAt: new Date(0).toISOString(),
  runs: [],
  boards: [],
  datasets: [],
  sweeps: [],
  news: null,
};

/** The root as it is written, its news up to date. */
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

/** Lists that are bounded, whatever there is of runs. */
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
