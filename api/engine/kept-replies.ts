import type { Answer } from "#shared/contracts/answer.ts";
import type { Step, Unit } from "#shared/contracts/runs/unit.ts";
import type { Platform } from "../platform/platform.ts";
import { repliesFolder } from "../runs/run-objects.ts";
import { isBatched } from "../runs/schema.ts";
import type { RunWork } from "./run-work.ts";

type Ask = Extract<Step, { kind: "ask" }>;

/**
 * The replies that a postponed unit has received so far. The endpoint or the limits of an invocation postponed it; its
 * next execution continues with them. Otherwise they would be paid for again, and a unit with many requests, such as a
 * long conversation, might never finish. Batches and runners store their replies elsewhere.
 */
export class KeptReplies {
  readonly #objects: Platform["objects"];
  readonly #key: string;
  readonly #isUsed: boolean;
  readonly #isLong: boolean;
  #isRead = false;
  /** Number of replies found from an earlier holder. */
  #found = 0;

  constructor({ objects }: Pick<Platform, "objects">, { run }: Pick<RunWork, "run">, unit: Unit) {
    const { id, retries, endpoint } = run;
    this.#objects = objects;
    this.#isUsed = !isBatched(run) && endpoint?.runner === undefined;
    this.#isLong = unit.samples.length > 1;
    this.#key = `${repliesFolder(id)}${retries.length}-${unit.samples[0]}-${unit.repeat}.json`;
  }

  /** On the first call, adds the replies of an earlier holder; returns whether there were any. */
  async addTo(next: Ask, replies: Answer[]): Promise<boolean> {
    if (this.#isRead || !this.#isKeeping(next)) return false;
    this.#isRead = true;
    const found = await this.#objects.get<Answer[]>(this.#key);
    this.#found = found?.length ?? 0;
    replies.push(...(found ?? []));
    return found !== null;
  }

  /** Stores the replies; returns whether there are more than the earlier holder had. */
  async keep(next: Ask, replies: readonly Answer[]): Promise<boolean> {
    if (!this.#isKeeping(next) || replies.length <= this.#found) return false;
    await this.#objects.put(this.#key, replies);
    return true;
  }

  async forget(): Promise<void> {
    if (this.#found > 0) await this.#objects.remove([this.#key]);
  }

  #isKeeping({ isLong }: Ask): boolean {
    return this.#isUsed && (this.#isLong || isLong !== undefined);
  }
}
