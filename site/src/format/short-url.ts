/** An address without scheme, query and final slash, for the text of a link. */
export const shortUrl = (url: string): string => {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`.replace(/\/$/, "");
};
