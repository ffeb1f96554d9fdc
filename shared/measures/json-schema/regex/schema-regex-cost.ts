import type { RegexNode } from "./schema-regex-parse.ts";

/** What a backtracking engine may do at one place of a text, at most. */
interface Cost {
  /** Ways to match, each of which it may come back to. */
  ways: number;
  /** Characters that are analysed. */
  work: number;
}

/**
 * The most characters that a backtracking engine looks at when it fails to find `node` in a text of
 * `length`: an upper bound, often far above the truth, Infinity where it has no finite one in
 * practice. Linear in the expression.
 * Source: each way of one part is tried with each way of the next; a quantifier over a part with
 * several ways has exponentially many.
 * @example searchCost({ kind: "atom", source: "a" }, 10) // 10
 */
export function searchCost(node: RegexNode, length: number): number {
  const starts = isAnchored(node) ? 1 : length + 1;
  return starts * costOf(node, length).work;
}

function costOf(node: RegexNode, length: number): Cost {
  switch (node.kind) {
    case "atom":
    case "boundary":
      return { ways: 1, work: 1 };
    case "reference":
      return { ways: 1, work: length };
    case "look":
      return { ways: 1, work: costOf(node.body, length).work };
    case "group":
      return costOf(node.body, length);
    case "choice": {
      const costs = node.options.map((option) => costOf(option, length));
      return { ways: sum(costs.map((c) => c.ways)), work: sum(costs.map((c) => c.work)) };
    }
    case "sequence":
      return inSequence(node.parts.map((part) => costOf(part, length)));
    case "repeat":
      return repeated(costOf(node.body, length), node.min, Math.min(node.max, length + 1));
  }
}

function inSequence(costs: readonly Cost[]): Cost {
  let ways = 1;
  let work = 0;
  for (const cost of costs) {
    work += ways * cost.work;
    ways *= cost.ways;
  }
  return { ways, work: Math.max(1, work) };
}

/** A body of `w` ways is begun 1 + w + … + w^(max − 1) times, and ends in w times as many ways. */
function repeated({ ways, work }: Cost, min: number, max: number): Cost {
  const most = Math.max(min, max);
  if (ways === 1) return { ways: most - min + 1, work: Math.max(1, most) * work };
  const begun = (times: number) => (ways ** times - 1) / (ways - 1);
  return { ways: begun(most + 1), work: Math.max(1, begun(most)) * work };
}

/**
 * Whether a match can only start where the text does.
 * @example isAnchored(parseRegex("^a|^b", true)!) // true
 */
export function isAnchored(node: RegexNode): boolean {
  if (node.kind === "boundary") return node.edge === "start" && !node.flags.includes("m");
  if (node.kind === "group") return isAnchored(node.body);
  if (node.kind === "choice") return node.options.every(isAnchored);
  return node.kind === "sequence" && node.parts[0] !== undefined && isAnchored(node.parts[0]);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
