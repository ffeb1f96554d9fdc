import type { Metric } from "#shared/contracts/metric.ts";
import type { Run } from "#shared/contracts/run.ts";
import { findPart } from "../find-part.ts";
import { RunActions, RunPlace, RunState, runTitle } from "./RunProgress.tsx";
import { actionsOf, isOutOfMoney, stateText } from "./run-progress.ts";

/** Draws runs as they go on. */
export interface ProgressView {
  show(run: Run): void;
}

/** `say` is told what has changed in a way that is worth saying. */
export function progressView(
  root: HTMLElement,
  metricOf: (run: Run) => Metric,
  say: (text: string) => void,
): ProgressView {
  const known = new Map<string, { state: string; actions: string }>();
  return {
    show(run) {
      const metric = metricOf(run);
      const state = `${run.status} ${run.phase}`;
      const actions = [...actionsOf(run), isOutOfMoney(run)].join();
      const before = known.get(run.id);
      known.set(run.id, { state, actions });
      if (before?.state !== state) say(`${runTitle(run)}: ${stateText(run)}.`);
      if (before === undefined) {
        root.insertAdjacentHTML("beforeend", String(RunPlace({ run, metric })));
        return;
      }
      const place = findPart(root, `[data-place="${CSS.escape(run.id)}"]`);
      findPart(place, "[data-part=state]").innerHTML = String(RunState({ run, metric }));
      // Drawn anew only where they differ, so that the focus stays where it is.
      if (before.actions === actions) return;
      const buttons = findPart(place, "[data-part=actions]");
      const hadFocus = buttons.contains(document.activeElement);
      buttons.innerHTML = String(RunActions({ run }));
      if (hadFocus) buttons.querySelector<HTMLElement>("input, button")?.focus();
    },
  };
}
