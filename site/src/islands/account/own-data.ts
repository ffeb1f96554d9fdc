import { makeZip } from "client-zip";
import type { AccountExport, Deletion, ExportedFile } from "#shared/contracts/keys/account-data.ts";
import type { Call } from "../api.ts";
import { findPart } from "../find-part.ts";
import { say } from "../page-state.ts";
import { attempt } from "./own-page.tsx";

type CallAs = <T>(path: string, call?: Call) => Promise<T>;

/** Lets a person export and delete the account. `asPerson`: calls the API with the session. */
export function startOwnData(owner: string, asPerson: CallAs): void {
  const button = findPart<HTMLButtonElement>(document, "[data-export]");
  button.addEventListener("click", () => void attempt(() => saveExport(owner, asPerson)));
  const form = findPart<HTMLFormElement>(document, "[data-delete]");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void attempt(() => deleteAccount(form, asPerson));
  });
}

async function saveExport(owner: string, asPerson: CallAs): Promise<void> {
  const missing: string[] = [];
  const zip = await new Response(makeZip(filesOf(asPerson, missing))).blob();
  const link = document.createElement("a");
  link.href = URL.createObjectURL(zip);
  link.download = `${owner}.zip`;
  link.click();
  URL.revokeObjectURL(link.href);
  const left = missing.length === 0 ? "" : ` Not given by the service: ${missing.join(", ")}.`;
  say(`Saved ${link.download}.${left}`);
}

async function* filesOf(asPerson: CallAs, missing: string[]) {
  let count = 0;
  for (let after: string | null = ""; after !== null; ) {
    const page: AccountExport = await asPerson(`/v1/account/export?after=${after}`);
    for (const { path, url, isPaged } of page.files) {
      say(`Reading file ${++count}: ${path}`);
      if (isPaged) yield* pagesOf({ path, url }, asPerson);
      else {
        const reply = await fetch(url);
        if (reply.ok) yield { name: path, lastModified: new Date(), input: reply };
        else missing.push(path);
      }
    }
    after = page.next;
  }
}

async function* pagesOf({ path, url }: Pick<ExportedFile, "path" | "url">, asPerson: CallAs) {
  let number = 1;
  for (let after: string | null = "0"; after !== null; number++) {
    const page: { rows: object[]; next: string | null } = await asPerson(`${url}?after=${after}`);
    const name = number === 1 ? path : path.replace(/\.json$/, `-${number}.json`);
    yield { name, lastModified: new Date(), input: JSON.stringify(page.rows, null, 2) };
    after = page.next;
  }
}

async function deleteAccount(form: HTMLFormElement, asPerson: CallAs): Promise<void> {
  const confirm = String(new FormData(form).get("confirm") ?? "").trim();
  const query = new URLSearchParams({ confirm });
  await asPerson<Deletion>(`/v1/account?${query}`, { method: "DELETE" });
  location.assign("/account/");
}
