import { z } from "zod";

/** Queue bodies hold only keys, so that lost, late and duplicate messages never change a number. */

/** Continue a run in one of its lanes. */
export const laneMessageSchema = z.object({
  v: z.literal(1),
  kind: z.literal("lane"),
  run: z.string(),
  lane: z.int().nonnegative(),
  /** Place of its seat, which selects the queue. */
  place: z.int().nonnegative().default(0),
  /** Ignored if the phase is over. */
  phase: z.enum(["answering", "judging"]).default("answering"),
});
export type LaneMessage = z.infer<typeof laneMessageSchema>;

/** Sum up a run whose samples are all done; `piece`: key of the sums to continue from. */
const finalizeMessageSchema = z.object({
  v: z.literal(1),
  kind: z.literal("finalize"),
  run: z.string(),
  piece: z.string().optional(),
});

/** Rank a board again and publish. */
const boardMessageSchema = z.object({
  v: z.literal(1),
  kind: z.literal("board"),
  board: z.string().nullable(),
});

/** Compare runs that are too large for a request. */
const compareMessageSchema = z.object({
  v: z.literal(1),
  kind: z.literal("compare"),
  runs: z.array(z.string()),
});

/** Test the variants of one model's sweep that is too large for a request. */
const sweepMessageSchema = z.object({
  v: z.literal(1),
  kind: z.literal("sweep"),
  runs: z.array(z.string()),
});

/** Compare a finished run with earlier ones. */
const driftMessageSchema = z.object({
  v: z.literal(1),
  kind: z.literal("drift"),
  run: z.string(),
});

/** Judge stored answers by other judges. */
const bridgeMessageSchema = z.object({
  v: z.literal(1),
  kind: z.literal("bridge"),
  bridge: z.string(),
});

/** Start the next part of a board's re-publication. */
const republicationMessageSchema = z.object({
  v: z.literal(1),
  kind: z.literal("republication"),
  republication: z.string(),
});

/** Continue the deletion of an account, known by its hash, with a step. */
const deletionMessageSchema = z.object({
  v: z.literal(1),
  kind: z.literal("deletion"),
  deletion: z.string(),
  step: z.int().nonnegative(),
});

/** Handle the first of some schedules, and until that time (Unix ms) the others, each with its own message. */
const ticksMessageSchema = z.object({
  v: z.literal(1),
  kind: z.literal("ticks"),
  schedules: z.array(z.string()),
  until: z.int(),
});

/** Delete rows of a stream's versions that are older than the `keep` newest. */
const oldVersionsMessageSchema = z.object({
  v: z.literal(1),
  kind: z.literal("old-versions"),
  suite: z.string(),
  name: z.string(),
  keep: z.int(),
});

export const finishMessageSchema = z.discriminatedUnion("kind", [
  finalizeMessageSchema,
  boardMessageSchema,
  compareMessageSchema,
  sweepMessageSchema,
  driftMessageSchema,
  bridgeMessageSchema,
  republicationMessageSchema,
  deletionMessageSchema,
  ticksMessageSchema,
  oldVersionsMessageSchema,
]);
export type FinishMessage = z.infer<typeof finishMessageSchema>;

/** Send an event to a webhook. */
export const deliveryMessageSchema = z.object({
  v: z.literal(1),
  kind: z.literal("delivery"),
  webhook: z.string(),
  event: z.string(),
});
export type DeliveryMessage = z.infer<typeof deliveryMessageSchema>;

type Phased = Pick<LaneMessage, "phase"> & { id: string };

export const laneMessage = (
  { id, phase }: Phased,
  { lane, place }: Pick<LaneMessage, "lane" | "place">,
): LaneMessage => ({
  v: 1,
  kind: "lane",
  run: id,
  lane,
  place,
  phase,
});

export const finalizeMessage = (run: string, piece?: string): FinishMessage => ({
  v: 1,
  kind: "finalize",
  run,
  ...(piece !== undefined && { piece }),
});

export const boardMessage = (board: string | null): FinishMessage => ({
  v: 1,
  kind: "board",
  board,
});

export const compareMessage = (runs: string[]): FinishMessage => ({ v: 1, kind: "compare", runs });

export const sweepMessage = (runs: string[]): FinishMessage => ({ v: 1, kind: "sweep", runs });

export const driftMessage = (run: string): FinishMessage => ({ v: 1, kind: "drift", run });
export const bridgeMessage = (bridge: string): FinishMessage => ({ v: 1, kind: "bridge", bridge });
export const republicationMessage = (republication: string): FinishMessage => ({
  v: 1,
  kind: "republication",
  republication,
});
export const deletionMessage = (deletion: string, step = 0): FinishMessage => ({
  v: 1,
  kind: "deletion",
  deletion,
  step,
});
export const ticksMessage = (schedules: string[], until: number): FinishMessage => ({
  v: 1,
  kind: "ticks",
  schedules,
  until,
});
export const deliveryMessage = (key: { webhook: string; event: string }): DeliveryMessage => ({
  v: 1,
  kind: "delivery",
  webhook: key.webhook,
  event: key.event,
});
