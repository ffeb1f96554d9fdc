import { z } from "zod";

/** Longer than any real address, in characters. */
export const MAX_ADDRESS_LENGTH = 2_000;

/** Message for an address with a user name or password; it never quotes them. */
export const NO_USER_INFO =
  "must not contain a user name or password: leave out the part before the @";

/**
 * Whether an address has text before an `@` in its authority, where user names and passwords are (RFC 3986, 3.2.1).
 * Reads the address as browsers do (WHATWG URL): with any number of slashes, backslashes and blanks. False for an
 * empty text.
 * @example hasUserInfo("https://me:secret@example.com/") // true
 */
export const hasUserInfo = (address: string): boolean => /^[^:]*:[\\/\s]*[^\\/?#]*@/.test(address);

/**
 * Removes the part before the `@` from addresses in a text, so that the text can be shown.
 * @example withoutUserInfo("not https://me:secret@example.com/") // "not https://…@example.com/"
 */
export const withoutUserInfo = (text: string): string =>
  text.replace(/(:[\\/]{2})[^\\/?#\s"'<>]*@/g, "$1…@");

/** An address of at most 2,000 characters without user name and password. `error`: message for an invalid one. */
export const webAddress = (error: string, protocol = /^https?$/) =>
  z
    .url({ protocol, error })
    .max(MAX_ADDRESS_LENGTH)
    .refine((address) => !hasUserInfo(address), { error: NO_USER_INFO });
