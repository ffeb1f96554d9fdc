import { closeSync } from "node:fs";
import { Readable } from "node:stream";
import type { JsonObject } from "#shared/contracts/json.ts";
import { openSeekable } from "../files/open-file.ts";
import { readLines } from "../files/read-lines.ts";
import type { ServiceClient } from "../remote/service-client.ts";

/** Rows of an export in JSON Lines; the download is complete before the first one. Throws ServiceError. */
export async function* downloadedRows(
  service: Pick<ServiceClient, "download">,
  path: string,
): AsyncGenerator<JsonObject> {
  const body = Readable.fromWeb((await service.download(path)) as never);
  const { fd, name } = await openSeekable("-", body);
  try {
    for (const { bytes } of readLines(fd, name)) yield JSON.parse(bytes.toString()) as JsonObject;
  } finally {
    closeSync(fd);
  }
}
