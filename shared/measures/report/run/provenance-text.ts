import type { Relay, Run } from "../../../contracts/run.ts";

const texts: Readonly<Record<Relay, string>> = {
  program: "a program on the submitter's machine",
  http: "an HTTP interface that the submitter's machine called",
};

/**
 * The source that answered instead of an endpoint, as a continuation of "The answers come from".
 * @example relayText("program") // "a program on the submitter's machine"
 */
export const relayText = (relay: Relay): string => texts[relay];

/**
 * Who obtained the answers, as a mark next to a name.
 * @example provenanceText({ kind: "called", endpointHost: null }) // "called by Assay"
 */
export function provenanceText({ kind, runner }: Run["provenance"]): string {
  if (kind === "called") return "called by Assay";
  return kind === "runner" ? `called by a runner of ${runner?.owner}` : "self-reported";
}

/**
 * The position of a queued run.
 * @example queuedText(12) // "12 of your account's runs before it"
 */
export const queuedText = (before: number): string => `${before} of your account's runs before it`;

/** Runs before a queued one are counted up to here, so that a poll reads few rows. */
export const MOST_COUNTED = 100;

/**
 * The runner that a run waits for.
 * @example awaitedText({ runner: "lab", lastSeenAt: null }) // "waits for runner lab (never seen)"
 */
export function awaitedText({ runner, lastSeenAt }: NonNullable<Run["waitsFor"]>): string {
  const seen = lastSeenAt === null ? "never seen" : `last seen ${lastSeenAt.slice(0, 16)}Z`;
  return `waits for runner ${runner} (${seen})`;
}
