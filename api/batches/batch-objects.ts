import type { BatchReply } from "../providers/batches/batch-client.ts";
import { batchesFolder } from "../runs/run-objects.ts";
import type { BatchRecord } from "./schema.ts";

type Stored = Pick<BatchRecord, "id" | "runId">;

/** Ids of a batch's requests, in their order. */
export const askedKey = ({ id, runId }: Stored): string =>
  `${batchesFolder(runId)}${id}/asked.json`;

/** A part of its replies. */
export const pieceKey = ({ id, runId }: Stored, piece: number): string =>
  `${batchesFolder(runId)}${id}/${piece}.json`;

export type Piece = readonly BatchReply[];

/** Everything stored of a batch. */
export const objectsOf = (batch: BatchRecord): string[] => [
  askedKey(batch),
  ...Array.from({ length: batch.pieces ?? 0 }, (_, piece) => pieceKey(batch, piece)),
];
