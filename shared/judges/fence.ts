import { textHash } from "../contracts/content-hash.ts";
import type { Section } from "../contracts/judging/judge.ts";

/** Hex digits of a fence's code: too long to occur by chance. */
const codeLength = 16;

/**
 * Puts each section between lines with a code that occurs in no section, so that no text can close its own fence. The
 * code is a hash of all texts, hashed again while it occurs in one of them. The same sections give the same bytes.
 * Linear.
 * Source: docs/spec/memory.md, judges.
 * @example fenceSections([{ name: "answer", text: "Hi." }]) // "<<<answer 1f…\nHi.\nanswer 1f…>>>"
 */
export function fenceSections(sections: readonly Section[]): string {
  const code = fenceCode(sections.map(({ text }) => text));
  return sections
    .map(({ name, text }) => `<<<${name} ${code}\n${text}\n${name} ${code}>>>`)
    .join("\n\n");
}

function fenceCode(texts: readonly string[]): string {
  let hash = textHash(JSON.stringify(texts));
  // Compared without case, because a judge reads ABC as abc.
  const whole = texts.join("\n").toLowerCase();
  while (whole.includes(hash.slice(0, codeLength))) hash = textHash(hash);
  return hash.slice(0, codeLength);
}
