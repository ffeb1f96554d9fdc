import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { BoardRecord, Ports } from "../ports.ts";

type NotFound = { type: "not-found"; detail: string };

/** The default board of a suite and a dataset, named as in a submission (`name` or `name@version`). */
export async function findBoard(
  ports: Ports,
  suite: string,
  dataset: string,
): Promise<Result<BoardRecord, NotFound>> {
  const { byId, all } = ports.suites;
  if (byId(suite) === undefined) {
    const known = all.map(({ id }) => id).join(", ");
    return err({ type: "not-found", detail: `there is no suite "${suite}"; try ${known}` });
  }
  const [name = "", version = null] = dataset.split("@");
  const board = await ports.boards.find(suite, name, version);
  if (board !== null) return ok(board);
  const detail = `no finished run of suite "${suite}" on dataset "${dataset}" stands on a board yet; variants of a sweep and runs of a subset stand on none`;
  return err({ type: "not-found", detail });
}
