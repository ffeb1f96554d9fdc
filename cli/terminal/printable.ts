import { withoutUserInfo } from "#shared/contracts/text/web-address.ts";

/** Text on one line, without control characters and without passwords in addresses. */
export function printable(text: string): string {
  return withoutUserInfo(text.replace(/\p{Cc}+/gu, " "));
}
