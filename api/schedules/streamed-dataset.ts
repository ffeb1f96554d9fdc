import { contentHash } from "#shared/contracts/content-hash.ts";
import type { VersionDraw } from "#shared/contracts/datasets/version-draw.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { KeptStream, NewStream } from "#shared/contracts/schedules/stream.ts";
import { serviceMappingProblem } from "#shared/measures/datasets/service-mapping.ts";
import { addStreamVersion, streamRefusalText } from "../datasets/stream.ts";
import type { Platform } from "../platform/platform.ts";
import { streamUrlProblem } from "../security/public-url.ts";
import type { Submitter } from "../submissions/resolve-submission.ts";
import type { ScheduleRecord } from "./schema.ts";

/** Sealed for the schedule. */
type StreamSecrets = Pick<NewStream, "url" | "authorization">;

/** The dataset version that a tick evaluates, and a note for the log. */
interface StreamedDataset {
  /** With the version, unless the schedule has no stream. */
  dataset: string;
  note: string;
}

/** What a schedule stores of a stream. */
export async function keptStream(
  { sealer }: Pick<Platform, "sealer">,
  id: string,
  { url, authorization, ...rest }: NewStream,
): Promise<Pick<ScheduleRecord, "stream" | "sealedStream">> {
  const { origin, pathname } = new URL(url);
  const secrets: StreamSecrets = { url, authorization };
  return {
    stream: { ...rest, url: `${origin}${pathname}` },
    sealedStream: await sealer.seal(sealId(id), JSON.stringify(secrets)),
  };
}

/** Errors in a new stream, by field. */
export function streamErrors(
  { settings }: Pick<Platform, "settings">,
  { url, mapping }: NewStream,
) {
  const problem = streamUrlProblem(url, settings);
  const mapped = mapping === undefined ? null : serviceMappingProblem(mapping);
  return [
    ...(problem === null ? [] : [{ pointer: "/stream/url", detail: problem }]),
    ...(mapped === null ? [] : [{ pointer: "/stream/mapping", detail: mapped }]),
  ];
}

/**
 * The dataset that a schedule evaluates now. With a stream: its new version; if nothing is new, the newest version that the
 * schedule has not evaluated. `evaluated`: the version of its last run. The error says why there is none.
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
  if (newest === null || newest.version === evaluated)
    return err(`the stream at ${stream.url}: ${detail}`);
  return ok({
    dataset: `${name}@${newest.version}`,
    note: `${detail}; evaluates the newest version`,
  });
}

const sealId = (schedule: string): string => `${schedule} stream`;

interface Source extends StreamSecrets {
  stream: KeptStream;
  suite: string;
  name: string;
  submitter: Submitter;
}

/** Why there is no new version; `isKnown`: nothing is new. */
interface NoVersion {
  isKnown: boolean;
  detail: string;
}

async function newVersion(
  platform: Platform,
  { stream, suite: id, name, submitter, url, authorization }: Source,
): Promise<Result<{ version: string; draw: VersionDraw | undefined }, NoVersion>> {
  const suite = platform.suites.byId(id);
  if (suite === undefined) return err({ isKnown: false, detail: `there is no suite "${id}"` });
  const address = contentHash(url);
  const before = (await platform.datasets.lastFile(id, name))?.source;
  const etag = before?.address === address ? before.etag : null;
  const fetched = await platform.fetchRows({ url, authorization, etag });
  if (fetched.kind === "failed") return err({ isKnown: false, detail: fetched.detail });
  if (fetched.kind === "unchanged") {
    return err({ isKnown: true, detail: "nothing is new: the file is unchanged" });
  }
  const { visibility, mapping = null, url: _, ...draw } = stream;
  const added = await addStreamVersion(platform, {
    suite,
    name,
    visibility,
    owner: submitter.owner,
    anyOwner: submitter.anyOwner,
    draw,
    mapping,
    file: fetched.file,
    source: fetched.etag === null ? null : { address, etag: fetched.etag },
  });
  if (added.ok) return ok({ version: added.value.version, draw: added.value.stream });
  const isKnown = added.error.kind === "nothing-new";
  return err({ isKnown, detail: streamRefusalText(added.error) });
}

function drawText(draw: VersionDraw | undefined): string {
  if (draw === undefined) return "";
  const { read, known, refused, drawn } = draw;
  const left = refused === 0 ? "" : `; ${refused} did not fit the suite`;
  return `drew ${drawn} of ${read - known} new rows (${read} read${left})`;
}
