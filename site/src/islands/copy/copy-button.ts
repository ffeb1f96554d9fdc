/** How long a button says what it did, ms: long enough to be read. */
const noticeMs = 2_000;

/**
 * Lets a button write `text` to the clipboard and say so for a moment. Where the browser refuses, the text is
 * selected, for the reader to copy.
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
