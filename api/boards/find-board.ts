import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { BoardRecord, Ports } from "../platform/ports.ts";

type NotFound = { type: "not-found"; detail: string };

/**
 * The default board of a suite and a dataset, named as in a submission (`name` or `name@version`). Where some
 * targets rank by another metric, on a board of their own, `headline` says which board; left out: the one that
 * ranks by the suite's, if there is one.
 */
export async function findBoard(
  ports: Ports,
  { suite, dataset, headline }: { suite: string; dataset: string; headline?: string | undefined },
): Promise<Result<BoardRecord, NotFound>> {
  const { byId, all } = ports.suites;
  const known = byId(suite);
  if (known === undefined) {
    const ids = all.map(({ id }) => id).join(", ");
    return err({ type: "not-found", detail: `there is no suite "${suite}"; try ${ids}` });
  }
  const [name = "", version = null] = dataset.split("@");
  const board = await ports.boards.find(suite, name, version, {
    id: headline ?? known.headline,
    isNeeded: headline !== undefined,
  });
  if (board !== null) return ok(board);
  const by = headline === undefined ? "" : `, ranked by "${headline}",`;
  const detail = `no finished run of suite "${suite}" on dataset "${dataset}"${by} stands on a board yet; variants of a sweep and runs of a subset stand on none`;
  return err({ type: "not-found", detail });
}
