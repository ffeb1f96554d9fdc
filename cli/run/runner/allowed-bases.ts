import { BadInput } from "../../errors.ts";

/** Addresses below which a runner calls endpoints. Throws BadInput. */
export function allowedBases(given: readonly string[]): URL[] {
  return given.map((text) => {
    const url = URL.parse(text);
    const isBase =
      url !== null &&
      /^https?:$/.test(url.protocol) &&
      !url.search &&
      !url.hash &&
      !text.includes("@");
    if (isBase) return url;
    throw new BadInput(
      `--allow must be the address of an endpoint without query, user name or password, such as http://10.0.0.5:8000/v1, not "${text.includes("@") ? "…@…" : text}"`,
    );
  });
}

/**
 * Whether an address is below one of the bases.
 * @example isAllowed("http://a.lan/v1/chat/completions", [new URL("http://a.lan/v1")]) // true
 */
export function isAllowed(address: string, bases: readonly URL[]): boolean {
  const url = URL.parse(address);
  if (url === null || url.username !== "" || url.password !== "") return false;
  return bases.some(({ origin, pathname }) => {
    const folder = pathname.endsWith("/") ? pathname : `${pathname}/`;
    return url.origin === origin && url.pathname.startsWith(folder) && !climbs(url.pathname);
  });
}

/** Whether a server that decodes the path would leave the folder. */
function climbs(path: string): boolean {
  try {
    return decodeURIComponent(path).split(/[\\/]/).includes("..");
  } catch {
    return true;
  }
}
