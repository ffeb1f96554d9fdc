import type { PartKind } from "./protocol.ts";

/** Tags that open and close thoughts at the start of a text. */
const delimiters = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<thought>", "</thought>"],
  ["<reasoning>", "</reasoning>"],
  ["[think]", "[/think]"],
  ["◁think▷", "◁/think▷"],
  ["<|start_thinking|>", "<|end_thinking|>"],
] as const;

/**
 * Classifies each piece of a streamed text as thought or answer: some servers leave thoughts in the text, between
 * `<think>` tags. The beginning of a text that may still become such a tag counts as a thought. Linear.
 * @example new InlineThoughts().kindOf("<think>2 + 2") // "thought"
 */
export class InlineThoughts {
  /** Text that may be the beginning of an opening or closing tag. */
  #rest = "";
  /** The tag that closes the current thoughts; null outside of thoughts. */
  #closing: string | null = null;
  #isAnswer = false;

  kindOf(piece: string): PartKind {
    if (this.#isAnswer) return "answer";
    this.#rest += piece.toLowerCase();
    while (this.#step());
    return this.#isAnswer ? "answer" : "thought";
  }

  /** Enters or leaves thoughts; false if more text is needed, or the answer has begun. */
  #step(): boolean {
    if (this.#closing !== null) {
      const at = this.#rest.indexOf(this.#closing);
      this.#rest = this.#rest.slice(at < 0 ? 1 - this.#closing.length : at + this.#closing.length);
      if (at >= 0) this.#closing = null;
      return at >= 0;
    }
    const begun = this.#rest.trimStart();
    const [opening = "", closing = null] = delimiters.find(([tag]) => begun.startsWith(tag)) ?? [];
    this.#rest = begun.slice(opening.length);
    this.#closing = closing;
    this.#isAnswer = closing === null && !delimiters.some(([tag]) => tag.startsWith(begun));
    return closing !== null;
  }
}
