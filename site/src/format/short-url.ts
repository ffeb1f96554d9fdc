/** An address without scheme, query and closing slash, to print as a link's text. */
export const shortUrl = (url: string): string => {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`.replace(/\/$/, "");
};
