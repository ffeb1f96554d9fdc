/** Sends the form's values to the page's address: the content security policy forbids its native submission. */
export function listenToFilters(place: ParentNode): void {
  const form = place.querySelector<HTMLFormElement>("[data-filters]");
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    const given = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]);
    const search = new URLSearchParams(given.filter(([, value]) => value !== ""));
    location.assign(search.size === 0 ? location.pathname : `?${search}`);
  });
}
