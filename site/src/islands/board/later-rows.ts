/** Adds the rows on a table's other pages; resolves to whether all of them could be read. */
export type AddRows = () => Promise<boolean>;

/**
 * Reads the other pages of a table, which `pages` links, once, and hands their rows to `add` in order. Null without them.
 * A page that can't be read leaves the table as it is, with the links to its pages.
 */
export function laterRows(
  pages: HTMLElement | null,
  add: (rows: HTMLTableRowElement[]) => void,
  read: typeof fetch = fetch,
): AddRows | null {
  if (pages === null) return null;
  const links = [...pages.querySelectorAll<HTMLAnchorElement>("a:not([aria-current])")];
  let done: Promise<boolean> | null = null;
  const readAll = async () => {
    const rows = await Promise.all(
      links.map(({ href }) => rowsAt(href, pages.ownerDocument, read)),
    );
    add(rows.flat());
    pages.hidden = true;
    return true;
  };
  return () => {
    done ??= readAll().catch(() => false);
    return done;
  };
}

async function rowsAt(
  url: string,
  document: Document,
  read: typeof fetch,
): Promise<HTMLTableRowElement[]> {
  const response = await read(url);
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  const page = document.implementation.createHTMLDocument();
  // Into a template, so that nothing of it is loaded.
  const template = page.createElement("template");
  template.innerHTML = await response.text();
  const rows = template.content.querySelectorAll<HTMLTableRowElement>(".board tbody tr");
  return [...rows].map((row) => document.adoptNode(row));
}
