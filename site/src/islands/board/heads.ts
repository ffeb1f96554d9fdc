/** A heading that a table can be sorted by. */
export interface SortHeading {
  element: HTMLElement;
  button: HTMLButtonElement | null;
  key: string;
  /** Name of the sorted value. */
  label: string;
  /** The order after the first click. */
  first: "ascending" | "descending";
}

/** The headings of a table, in the order of its columns. */
export const readHeadings = (table: HTMLTableElement): SortHeading[] =>
  [...table.querySelectorAll<HTMLElement>("th[data-key]")].map((element) => ({
    element,
    button: element.querySelector("button"),
    key: element.dataset["key"] ?? "",
    label: element.dataset["label"] ?? element.textContent.trim(),
    first: element.dataset["first"] === "descending" ? "descending" : "ascending",
  }));

/** Keys that move between headings, and the distance; movement stops at both ends. */
const moves: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  Home: -Infinity,
  End: Infinity,
};

/** Makes the headings a single stop of the tab key; arrow keys move between them. */
export function moveByArrows(headings: readonly SortHeading[]): void {
  const isShown = ({ offsetParent }: HTMLElement) => offsetParent !== null;
  const buttons = headings.flatMap(({ button }) => button ?? []);
  for (const button of buttons) {
    button.addEventListener("keydown", (event) => {
      const move = moves[event.key];
      if (move === undefined) return;
      event.preventDefault();
      const shown = buttons.filter((one) => one === button || isShown(one));
      const to = Math.max(0, Math.min(shown.length - 1, shown.indexOf(button) + move));
      shown[to]?.focus();
    });
    button.addEventListener("focus", () => {
      for (const one of buttons) one.tabIndex = one === button ? 0 : -1;
    });
  }
}

/** Shows the definition of a column below its heading on hover and focus, instead of the browser's own tooltip. */
export function showDefinitions(board: HTMLElement, headings: readonly SortHeading[]): void {
  const tip = board.ownerDocument.createElement("div");
  tip.className = "definition";
  tip.id = `definition-${board.ownerDocument.querySelectorAll(".definition").length}`;
  tip.setAttribute("role", "tooltip");
  tip.hidden = true;
  board.append(tip);
  const hide = () => {
    tip.hidden = true;
  };
  for (const { button } of headings) {
    const definition = button?.title ?? "";
    if (button === null || definition === "") continue;
    button.removeAttribute("title");
    const show = () => {
      tip.textContent = definition;
      tip.hidden = false;
      button.setAttribute("aria-describedby", tip.id);
      place(tip, button, board);
    };
    for (const name of ["pointerenter", "focus"]) button.addEventListener(name, show);
    for (const name of ["pointerleave", "blur"]) button.addEventListener(name, hide);
    button.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  }
}

/** Positions the tooltip below the heading, within the board. */
function place(tip: HTMLElement, button: HTMLElement, board: HTMLElement): void {
  const [at, around] = [button.getBoundingClientRect(), board.getBoundingClientRect()];
  const left = Math.min(at.left - around.left, around.width - tip.offsetWidth);
  tip.style.left = `${Math.max(0, left)}px`;
  tip.style.top = `${at.bottom - around.top + 4}px`;
}
