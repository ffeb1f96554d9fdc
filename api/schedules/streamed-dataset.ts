import { contentHash } from "#shared/contracts/content-hash.ts";
import type { VersionDraw } from "#shared/contracts/datasets/version-draw.ts";
import type { FieldError } from "#shared/contracts/problem.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { NewSchedule } from "#shared/contracts/schedules/schedule.ts";
import type { KeptStream, NewStream } from "#shared/contracts/schedules/stream.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import { serviceMappingProblem } from "#shared/measures/datasets/service-mapping.ts";
import { addStreamVersion, type StreamedRows, streamRefusalText } from "../datasets/stream.ts";
import type { Platform } from "../platform/platform.ts";
import { ratedRows } from "../ratings/rated-rows.ts";
import { streamUrlProblem } from "../security/public-url.ts";
import type { Submitter } from "../submissions/resolve-submission.ts";
import type { ScheduleRecord } from "./schema.ts";

/** The parts of a stream that are sealed for the schedule. */
type StreamSecrets = Pick<NewStream, "url" | "authorization">;

/** The dataset version that a tick evaluates, and a note for the log. */
interface StreamedDataset {
  /** Includes the version, unless the schedule has no stream. */
  dataset: string;
  note: string;
}

/** What a schedule stores of a stream. */
export async function keptStream(
  { sealer }: Pick<Platform, "sealer">,
  id: string,
  { url, authorization, ...rest }: NewStream,
): Promise<Pick<ScheduleRecord, "stream" | "sealedStream">> {
  const secrets: StreamSecrets = { url, authorization };
  return {
    stream: { ...rest, ...(url !== undefined && { url: withoutQuery(url) }) },
    sealedStream: await sealer.seal(sealId(id), JSON.stringify(secrets)),
  };
}

function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

export function streamErrors(
  { settings, suites }: Pick<Platform, "settings" | "suites">,
  { url, ratingsOf, mapping }: NewStream,
  { suite, dataset }: Pick<NewSchedule, "suite" | "dataset">,
): FieldError[] {
  const own =
    ratingsOf === dataset ? "is the dataset that gets the versions: name another one" : null;
  const isRated = ratingsOf === undefined || suites.byId(suite)?.judgedValues !== undefined;
  const problems = {
    url: url === undefined ? null : streamUrlProblem(url, settings),
    mapping: mapping === undefined ? null : serviceMappingProblem(mapping),
    ratingsOf: isRated ? own : `suite "${suite}" has no metrics that people can rate`,
  };
  return Object.entries(problems).flatMap(([field, detail]) =>
    detail === null ? [] : [{ pointer: `/stream/${field}`, detail }],
  );
}

/**
 * The dataset that a schedule evaluates now. With a stream: its new version; without new rows, the newest version that
 * the schedule has not evaluated, or without new ratings the newest version. `evaluated`: the version of its last run.
 * The error says why there is none.
 */
export async function streamedDataset(
  platform: Platform,
  schedule: Pick<ScheduleRecord, "id" | "stream" | "sealedStream" | "request">,
  submitter: Submitter,
  evaluated: string | null,
): Promise<Result<StreamedDataset, string>> {
  const { stream, request } = schedule;
  const { suite: id, dataset: name } = request;
  if (stream === null) return ok({ dataset: name, note: "" });
  const secrets = await platform.sealer.open(sealId(schedule.id), schedule.sealedStream ?? "");
  if (!secrets.ok)
    return err("the stream's encrypted address can't be decrypted: create the schedule again");
  const opened = JSON.parse(secrets.value) as StreamSecrets;
  const added = await newVersion(platform, { stream, suite: id, name, submitter, ...opened });
  if (added.ok) {
    const { version, draw } = added.value;
    return ok({ dataset: `${name}@${version}`, note: drawText(draw) });
  }
  const { isKnown, detail } = added.error;
  const newest = isKnown ? await platform.datasets.find(id, name, null, submitter) : null;
  // Without new ratings the newest version is evaluated again, because people don't rate every day.
  const isOver = newest?.version === evaluated && stream.ratingsOf === undefined;
  if (newest === null || isOver) return err(`${sourceText(stream)}: ${detail}`);
  return ok({
    dataset: `${name}@${newest.version}`,
    note: `${detail}; evaluates the newest version`,
  });
}

const sourceText = ({ url, ratingsOf }: KeptStream): string =>
  url === undefined ? `the ratings of "${ratingsOf}"` : `the stream at ${url}`;

const sealId = (schedule: string): string => `${schedule} stream`;

interface Source extends StreamSecrets {
  stream: KeptStream;
  suite: string;
  name: string;
  submitter: Submitter;
}

/** Why there is no new version; `isKnown`: there are no new rows. */
interface NoVersion {
  isKnown: boolean;
  detail: string;
}

async function newVersion(
  platform: Platform,
  { stream, suite: id, name, submitter, ...secrets }: Source,
): Promise<Result<{ version: string; draw: VersionDraw | undefined }, NoVersion>> {
  const suite = platform.suites.byId(id);
  if (suite === undefined) return err({ isKnown: false, detail: `there is no suite "${id}"` });
  const { visibility, mapping = null, url: _, ratingsOf, ...draw } = stream;
  const { owner } = submitter;
  const rows =
    ratingsOf === undefined
      ? await fetchedFile(platform, id, name, secrets)
      : await ratedFile(platform, { owner, suite: id, dataset: ratingsOf });
  if (!rows.ok) return rows;
  const added = await addStreamVersion(platform, {
    suite,
    name,
    visibility,
    owner,
    anyOwner: submitter.anyOwner,
    draw,
    mapping,
    ...rows.value,
  });
  if (added.ok) return ok({ version: added.value.version, draw: added.value.stream });
  const isKnown = added.error.kind === "nothing-new" || added.error.kind === "overtaken";
  return err({ isKnown, detail: streamRefusalText(added.error) });
}

type RowsFile = Result<Pick<StreamedRows, "file" | "source">, NoVersion>;

async function ratedFile(
  platform: Platform,
  of: Parameters<typeof ratedRows>[1],
): Promise<RowsFile> {
  const file = await ratedRows(platform, of);
  if (file.length > 0) return ok({ file, source: null });
  return err({ isKnown: true, detail: "people have rated no answer of your runs on it yet" });
}

/** The file at an address, unless it is the previous one. */
async function fetchedFile(
  platform: Platform,
  suite: string,
  name: string,
  { url = "", authorization }: StreamSecrets,
): Promise<RowsFile> {
  const address = contentHash(url);
  const before = (await platform.datasets.lastFile(suite, name))?.source;
  const etag = before?.address === address ? before.etag : null;
  const fetched = await platform.fetchRows({ url, authorization, etag });
  if (fetched.kind === "failed") return err({ isKnown: false, detail: fetched.detail });
  if (fetched.kind === "unchanged") {
    return err({ isKnown: true, detail: "nothing is new: the file is unchanged" });
  }
  const source = fetched.etag === null ? null : { address, etag: fetched.etag };
  return ok({ file: fetched.file, source });
}

function drawText(draw: VersionDraw | undefined): string {
  if (draw === undefined) return "";
  const { read, known, refused, drawn } = draw;
  const left = refused === 0 ? "" : `; ${refused} did not fit the suite`;
  const fresh = read - known;
  return `drew ${drawn} of ${counted(fresh, "new row")} (${read} read${left})`;
}
