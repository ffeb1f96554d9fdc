import { JSDOM } from "jsdom";
import { afterEach, expect, it, vi } from "vitest";
import { copyButton } from "./copy-button.ts";

afterEach(() => {
  vi.useRealTimers();
});

function aButton(writeText: (text: string) => Promise<void>) {
  const { document } = new JSDOM("<code>a &lt; b</code><button hidden>Copy</button>").window;
  const button = document.querySelector("button") as HTMLButtonElement;
  const code = document.querySelector("code") as HTMLElement;
  copyButton(button, code, { writeText });
  return { document, button };
}

it("copyButton() shows the button, copies the text and confirms it for a moment", async () => {
  vi.useFakeTimers();
  const written: string[] = [];
  const { button } = aButton(async (text) => void written.push(text));
  expect(button.hidden).toBe(false);
  button.click();
  button.click();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(written).toEqual(["a < b", "a < b"]);
  expect(button.textContent).toBe("Copied");
  await vi.advanceTimersByTimeAsync(2_000);
  expect(button.textContent).toBe("Copy");
});

it("copyButton() selects the text if the browser refuses to copy", async () => {
  const { document, button } = aButton(() => Promise.reject(new Error("denied")));
  button.click();
  await vi.waitFor(() => expect(button.textContent).toBe("Selected"));
  expect(document.getSelection()?.toString()).toBe("a < b");
});
