import { JSDOM } from "jsdom";
import { afterEach, expect, it, vi } from "vitest";
import { metricIn } from "../../report/shown-run.ts";
import { RunList } from "./picker.ts";
import type { RunChoice } from "./run-choice.ts";

const choice = (run: string, name: string): RunChoice => ({
  run,
  rank: 1,
  headline: null,
  model: { name, slug: `acme/${run}`, simulated: false },
  provenance: { kind: "called", endpointHost: "a.example" },
});

const choices = [choice("a", "Alpha"), choice("b", "Beta")];

afterEach(() => vi.unstubAllGlobals());

function aList(onTick = () => {}) {
  const { window } = new JSDOM(
    "<form><input name=find><span data-count></span><div data-choices tabindex=0></div></form>",
  );
  vi.stubGlobal("HTMLInputElement", window.HTMLInputElement);
  const form = window.document.querySelector("form") as HTMLFormElement;
  const list = new RunList(form, onTick);
  const finder = form.querySelector("input") as HTMLInputElement;
  const tick = (run: string) => {
    form.querySelector<HTMLInputElement>(`[value=${run}]`)?.click();
  };
  const shown = () =>
    [...form.querySelectorAll<HTMLElement>("[data-name]:not([hidden])")].map(
      (row) => row.querySelector("input")?.value,
    );
  const find = (text: string) => {
    finder.value = text;
    finder.dispatchEvent(new window.Event("input"));
  };
  const offer = (ticked: string[], offered = choices) =>
    list.offer({ choices: offered, ticked, headline: metricIn([], "f1"), notice: "None yet." });
  return { form, list, tick, shown, find, offer };
}

it("RunList counts ticked runs and reports each change", () => {
  const onTick = vi.fn();
  const { form, list, tick, offer } = aList(onTick);
  offer(["b"]);
  expect(list.chosen).toEqual(["b"]);
  tick("a");
  expect(list.chosen).toEqual(["b", "a"]);
  expect(form.querySelector("[data-count]")?.textContent).toBe("2 chosen of 2 to 20");
  tick("b");
  expect(list.chosen).toEqual(["a"]);
  expect(onTick).toHaveBeenCalledTimes(2);
});

it("RunList filters by name, but always shows added runs", () => {
  const { list, shown, find, offer } = aList();
  offer([]);
  find("BET");
  expect(shown()).toEqual(["b"]);
  list.add(choice("c", "Gamma"));
  expect(shown()).toEqual(["c", "a", "b"]);
  list.add(choice("a", "Alpha"));
  expect(shown()).toEqual(["c", "a", "b"]);
  expect(list.chosen).toEqual(["c", "a"]);
});

it("RunList says why there is nothing to choose", () => {
  const { form, offer } = aList();
  offer([], []);
  expect(form.querySelector("[data-choices]")?.textContent).toBe("None yet.");
});
