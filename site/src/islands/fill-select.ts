export interface SelectOption {
  value: string;
  label: string;
}

/** Shows that there are no choices, for example because the API can't be reached. */
export function emptySelects(form: HTMLFormElement): void {
  for (const select of form.querySelectorAll("select")) fillSelect(select, [], null, "Not loaded");
}

/** Fills a select and enables it; an empty one says so and stays disabled. */
export function fillSelect(
  select: HTMLSelectElement,
  options: readonly SelectOption[],
  chosen: string | null,
  nothing = "None",
): void {
  const shown = options.length > 0 ? options : [{ value: "", label: nothing }];
  select.replaceChildren(
    ...shown.map(({ value, label }) => {
      const option = select.ownerDocument.createElement("option");
      option.value = value;
      option.textContent = label;
      return option;
    }),
  );
  if (chosen !== null && options.some(({ value }) => value === chosen)) select.value = chosen;
  select.disabled = options.length === 0;
}
