import { closeSync, fstatSync } from "node:fs";
import { BadInput } from "../bad-input.ts";
import { openInput } from "../score/open-file.ts";

/** Opens a dataset that is read several times. Throws BadInput for what can be read only once. */
export function openDataset(path: string): ReturnType<typeof openInput> {
  const file = openInput(path);
  if (fstatSync(file.fd).isFile()) return file;
  closeSync(file.fd);
  throw new BadInput(
    `${path}: it is a pipe or a device, and is read once for each file of answers: give a file`,
  );
}
