/** How long a button shows its result, ms. */
const noticeMs = 2_000;

/**
 * Makes a button write `text` to the clipboard and confirm it for a moment. If the browser refuses, selects the text
 * for the reader to copy.
 */
export function copyButton(
  button: HTMLButtonElement,
  source: HTMLElement,
  clipboard: Pick<Clipboard, "writeText">,
): void {
  const label = button.textContent;
  let pending: ReturnType<typeof setTimeout> | undefined;
  const say = (notice: string) => {
    clearTimeout(pending);
    button.textContent = notice;
    pending = setTimeout(() => {
      button.textContent = label;
    }, noticeMs);
  };
  button.addEventListener("click", () => {
    clipboard.writeText(source.textContent).then(
      () => say("Copied"),
      () => {
        source.ownerDocument.getSelection()?.selectAllChildren(source);
        say("Selected");
      },
    );
  });
  button.hidden = false;
}

/**
 * Enables the copy buttons in a part of a page. Only secure contexts have a clipboard; elsewhere the buttons stay
 * hidden.
 */
export function offerCopies(part: ParentNode): void {
  if (!navigator.clipboard) return;
  for (const button of part.querySelectorAll<HTMLButtonElement>("button[data-copies]")) {
    const code = part.querySelector<HTMLElement>(`#${button.dataset["copies"]} code`);
    if (code) copyButton(button, code, navigator.clipboard);
  }
}
