import { closeSync, fstatSync } from "node:fs";
import { BadInput } from "../bad-input.ts";
import { openDataset as openOnce } from "../score/open-dataset.ts";
import type { OpenFile } from "../score/open-file.ts";

/** Opens a dataset that is read several times. Throws BadInput for what can be read only once. */
export function openDataset(path: string): OpenFile {
  const file = openOnce(path);
  if (fstatSync(file.fd).isFile()) return file;
  closeSync(file.fd);
  throw new BadInput(
    `${path}: it is a pipe or a device, and is read once for each file of answers: give a file`,
  );
}
