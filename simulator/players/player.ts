import { hash } from "node:crypto";
import type { JsonObject } from "../../shared/contracts/json.ts";
import type { Completion } from "../completion.ts";
import type { Draws } from "../draws.ts";
import type { MistakeRates } from "../mistakes/rates.ts";
import type { ParsedChat } from "../parse-chat.ts";

/** How the model that answers behaves this time. */
export interface Play {
  /** Its mistake rates, less those that the structured-output mode prevents. */
  rates: MistakeRates;
  /** Seeded by simulator, model, sample and request. */
  draws: Draws;
  /** Who answers: seeds what a model has of its own whatever it is asked, such as a judge's habits. */
  self?: string;
}

/** A request that a player knows how to answer. */
export interface Claim {
  /** Names the sample: the same for every request about it. */
  key: string;
  /** The dataset's id of the sample, null where it has none. */
  id: string | null;
  answer(play: Play): Completion;
}

/** Knows one kind of request and how a model answers it. */
export interface Player {
  /** The request as its own, or null when it is somebody else's. */
  claim(request: ParsedChat): Claim | null;
}

/** Makes a player that knows the samples among the datasets' rows; it skips rows it can't use. */
export type PlayerMaker = (rows: readonly JsonObject[]) => Player;

/** A short stable key of a text: 64 bits of its SHA-256, in hex. */
export function textKey(text: string): string {
  return hash("sha256", text, "hex").slice(0, 16);
}
