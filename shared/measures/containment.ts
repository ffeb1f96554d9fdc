/**
 * How far one text holds the other, 0–1: 1 when `expected` stands inside `predicted`, the share of
 * its length (in code points) when only `predicted` stands inside `expected`, else 0. 0 when one side
 * is empty. Not symmetric. Linear.
 * Source: specification of the extraction suite, section 3.
 * @example containment("San Francisco, CA", "San Francisco") // 13/17
 */
export function containment(expected: string, predicted: string): number {
  if (expected === "" || predicted === "") return 0;
  if (predicted.includes(expected)) return 1;
  return expected.includes(predicted) ? codePoints(predicted) / codePoints(expected) : 0;
}

function codePoints(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length; i++) if (isPair(text, i)) count--;
  return count;
}

function isPair(text: string, i: number): boolean {
  return (text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00;
}
