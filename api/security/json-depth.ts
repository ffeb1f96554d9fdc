import { endOfString } from "#shared/contracts/bounds.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/**
 * The text of UTF-8 bytes, without a byte order mark; null if they are not UTF-8, because replaced characters would be
 * stored as if they had been sent.
 */
export function utf8Text(bytes: BufferSource): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

/** Maximum steps of the returned pointer: the first few of 64 show where to look. */
const MAX_STEPS = 8;
const MAX_NAME = 40;

/** An open array or object, and the scan's position in it. */
interface Level {
  isArray: boolean;
  index: number;
  /** Positions of the quotes around the property's name. */
  name: [number, number];
}

/**
 * Where a JSON text exceeds `maxDepth` nested arrays and objects, as a truncated JSON pointer; null if it does not. One
 * scan without recursion, before parsing, so that later code (validation, hashing, writing) may recurse. Invalid JSON
 * is left to the parser. Linear.
 * @example placeBeyond('{"a": [[1]]}', 2) // "/a/0"
 */
export function placeBeyond(text: string, maxDepth: number): string | null {
  const open: Level[] = [];
  let string: [number, number] = [0, 0];
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === 0x22) {
      string = [i, endOfString(text, i)];
      i = string[1];
    } else if (char === 0x5b || char === 0x7b) {
      if (open.length >= maxDepth) return pointerOf(text, open);
      open.push({ isArray: char === 0x5b, index: 0, name: string });
    } else if (char === 0x5d || char === 0x7d) open.pop();
    else if (char === 0x2c || char === 0x3a) step(open.at(-1), char === 0x2c, string);
  }
  return null;
}

function step(level: Level | undefined, isComma: boolean, string: [number, number]): void {
  if (level === undefined) return;
  if (isComma) level.index += 1;
  else level.name = string;
}

function pointerOf(text: string, open: readonly Level[]): string {
  const steps = open.slice(0, MAX_STEPS).map(({ isArray, index, name: [from, to] }) => {
    const name = text
      .slice(from + 1, to)
      .replaceAll("~", "~0")
      .replaceAll("/", "~1");
    return `/${isArray ? index : name.slice(0, MAX_NAME)}`;
  });
  return steps.join("");
}
