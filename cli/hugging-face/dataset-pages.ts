import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { BadInput } from "../errors.ts";
import { fileProblem } from "../files/open-file.ts";
import { askHub, type HubAccess, type HubReply } from "./ask-hub.ts";

/** Length of a full commit SHA; a request completes a shorter prefix. */
const WHOLE_SHA = 40;

const describedSchema = z.object({ sha: z.string().regex(/^[0-9a-f]{40}$/) });

/** A reply to read, with its check. */
interface Wanted<T> {
  /** Name of the reply in the cache. */
  key: readonly string[];
  path: string;
  schema: z.ZodType<T>;
  /** Throws BadInput for a reply that must not be used or cached. */
  check?(reply: T): void;
}

/** Replies on one dataset at one commit. */
export type DatasetPages = Awaited<ReturnType<typeof datasetPages>>;

/**
 * Replies of the dataset viewer, which serves only the newest commit: the commit named in each reply, and by the
 * hub before the first and after the last one, is compared with the requested one. Cached replies need no request.
 * `revision`: a commit's SHA or its first digits; null for the newest commit.
 */
export async function datasetPages(
  { hub, viewer }: HubAccess,
  dataset: string,
  revision: string | null,
  cache: PageCache,
) {
  const newest = async () => shaOf(dataset, await askHub(hub, `/api/datasets/${dataset}`));
  let isChecked = revision?.length !== WHOLE_SHA;
  const sha = isChecked ? await newest() : revision!;
  if (revision !== null && !sha.startsWith(revision)) throw moved(dataset, revision, sha);
  let asked = false;
  const confirm = async () => {
    if (asked) refuseOtherCommit(dataset, sha, await newest());
  };
  return {
    sha,
    /** Throws BadInput if the dataset got a new commit since the first request. */
    confirm,
    async read<T>({ key, path, schema, check }: Wanted<T>): Promise<T> {
      const place = [...dataset.split("/"), sha, ...key];
      const kept = schema.safeParse(cache.read(place));
      if (kept.success) return kept.data;
      asked = true;
      if (!isChecked) await confirm();
      isChecked = true;
      const reply = await askHub(viewer, path);
      if (reply.revision !== null)
        refuseOtherCommit(dataset, sha, reply.revision, "the dataset viewer");
      const parsed = schema.safeParse(reply.body);
      if (!parsed.success) throw strange(viewer.origin, path);
      check?.(parsed.data);
      cache.write(place, parsed.data);
      return parsed.data;
    },
  };
}

function shaOf(dataset: string, { body }: HubReply): string {
  const parsed = describedSchema.safeParse(body);
  if (parsed.success) return parsed.data.sha;
  throw new BadInput(`hf:${dataset}: Hugging Face names no commit`);
}

function moved(dataset: string, wanted: string, other: string, who = "Hugging Face"): BadInput {
  const advice = `leave out --revision, or download that commit's files and import those`;
  return new BadInput(
    `hf:${dataset}: ${who} serves rows of commit ${other}, not of ${wanted}; it serves only the newest: ${advice}`,
  );
}

function refuseOtherCommit(
  dataset: string,
  sha: string,
  other: string,
  who = "Hugging Face",
): void {
  if (other !== sha) throw moved(dataset, sha, other, who);
}

function strange(origin: string, path: string): BadInput {
  return new BadInput(`${origin} answers ${path} in a form that is not in its documentation`);
}

/** Replies that never change, because each belongs to a commit. */
export type PageCache = ReturnType<typeof pageCache>;

/** A cache in a folder. Only its owner can read it: a dataset may be private. */
export function pageCache(folder: string) {
  const pathOf = (key: readonly string[]) => `${join(folder, ...key.map(fileName))}.json`;
  return {
    /** Undefined if the cache has no complete reply. */
    read(key: readonly string[]): unknown {
      try {
        return JSON.parse(readFileSync(pathOf(key), "utf8"));
      } catch {
        return undefined;
      }
    },
    write(key: readonly string[], value: unknown): void {
      const path = pathOf(key);
      try {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        const part = `${path}.${process.pid}.part`;
        writeFileSync(part, JSON.stringify(value), { mode: 0o600 });
        renameSync(part, path);
      } catch (error) {
        throw fileProblem(path, error);
      }
    },
  };
}

/** Names of configurations may contain anything, including `..`. */
const fileName = (part: string): string => encodeURIComponent(part).replace(/^\.+$/, "_$&");
