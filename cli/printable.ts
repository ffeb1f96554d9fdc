/** On one line, without the control characters that would steer a terminal. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ");
}
