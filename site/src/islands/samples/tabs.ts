const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** Lets tabs be chosen by pointer, arrow keys, Home and End. Source: ARIA Authoring Practices, Tabs. */
export function openTabs(root: ParentNode): void {
  for (const group of root.querySelectorAll("[data-tabs]")) {
    const tabs = [...group.querySelectorAll<HTMLElement>("[role=tab]")];
    const panels = [...group.querySelectorAll<HTMLElement>("[role=tabpanel]")];
    const choose = (chosen: number) => {
      for (const [i, tab] of tabs.entries()) {
        tab.setAttribute("aria-selected", String(i === chosen));
        tab.tabIndex = i === chosen ? 0 : -1;
      }
      for (const [i, panel] of panels.entries()) panel.hidden = i !== chosen;
    };
    for (const [i, tab] of tabs.entries()) {
      tab.addEventListener("click", () => choose(i));
      tab.addEventListener("keydown", (event) => {
        const ends: Record<string, number> = { Home: 0, End: tabs.length - 1 };
        const step = steps[event.key];
        const next = step === undefined ? ends[event.key] : (i + step + tabs.length) % tabs.length;
        if (next === undefined) return;
        event.preventDefault();
        choose(next);
        tabs[next]?.focus();
      });
    }
  }
}
