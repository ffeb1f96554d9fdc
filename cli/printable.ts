import { withoutUserInfo } from "#shared/contracts/web-address.ts";

/** On one line, without the control characters that would steer a terminal, and passwords of addresses. */
export function printable(text: string): string {
  return withoutUserInfo(text.replace(/\p{Cc}+/gu, " "));
}
