import MiniSearch from "minisearch";
import { searchOptions } from "../../data/search-index.ts";

/** Maximum results listed. */
const MOST_SHOWN = 20;

/** Share of a word's letters that may differ if no text has the word itself. */
const FUZZY = 0.2;

type Index = Pick<MiniSearch, "search">;

/** Reads the index of the site. Throws if it can't be read. */
export async function readIndex(path: string): Promise<Index> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} answers ${response.status}`);
  const { texts, results } = await response.json();
  const index = MiniSearch.loadJS(texts, searchOptions);
  index.addAll(results);
  return index;
}

/** Shows the index's results for the words in a form as they are typed; the words are stored in the address. */
export function searchIsland(
  form: HTMLFormElement,
  list: HTMLElement,
  page: Pick<Window, "location" | "history">,
  read: () => Promise<Index>,
): void {
  const field = form.querySelector<HTMLInputElement>("[name=q]");
  const status = form.querySelector<HTMLElement>("[role=status]");
  if (!field || !status) return;
  let index: Promise<Index> | null = null;

  const search = async () => {
    const words = field.value.trim();
    if (words === "") {
      list.replaceChildren();
      status.textContent = "";
      return;
    }
    index ??= read();
    try {
      const ready = await index;
      const exact = ready.search(words);
      const found = exact.length > 0 ? exact : ready.search(words, { fuzzy: FUZZY });
      // The words may have changed while the index was read.
      if (words !== field.value.trim()) return;
      list.replaceChildren(...found.slice(0, MOST_SHOWN).map((one) => item(one, list)));
      status.textContent = foundText(found.length);
    } catch {
      index = null;
      status.textContent = "The search can't be read now. Try again in a minute.";
    }
  };

  field.value = new URLSearchParams(page.location.search).get("q") ?? "";
  field.addEventListener("input", () => {
    const words = field.value.trim();
    const query = words === "" ? "" : `?q=${encodeURIComponent(words)}`;
    page.history.replaceState(null, "", `${page.location.pathname}${query}`);
    void search();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  void search().then(() => {
    form.dataset["searched"] = "";
  });
}

function foundText(count: number): string {
  if (count === 0) return "Nothing found. Fewer or other words find more.";
  const shown = Math.min(count, MOST_SHOWN);
  return count === 1
    ? "1 result"
    : `${count} results${shown < count ? `, the first ${shown}` : ""}`;
}

/** A result, as plain text: names of models are untrusted. */
function item(found: Record<string, unknown>, list: HTMLElement): HTMLElement {
  const document = list.ownerDocument;
  const make = (name: string, text: string, look = "") => {
    const element = document.createElement(name);
    element.textContent = text;
    element.className = look;
    return element;
  };
  const [href, page, title] = [found["href"], found["page"], found["title"]].map(String);
  const link = make("a", title ?? "") as HTMLAnchorElement;
  link.href = href ?? "";
  const li = document.createElement("li");
  const where = make("span", page === title ? "" : ` ${page}`, "small soft");
  li.append(link, where, make("p", String(found["start"] ?? ""), "small soft"));
  return li;
}
