import type {
  DatasetVisibilityChange,
  ListedDataset,
  Visibility,
} from "#shared/contracts/datasets/dataset.ts";
import type { Share } from "#shared/contracts/keys/share.ts";
import { formatDate } from "../../format/date.ts";
import { formatCount } from "../../format/number.ts";
import { levels, PlannedView } from "../run/visibility.tsx";
import { ListTable } from "./AccountViews.tsx";
import { call, put } from "./own-page.tsx";

/** Maximum entries; the command line lists more. */
const MOST_LISTED = 200;

/** A planned change that waits for confirmation. */
let planned: { path: string; to: Visibility } | null = null;

/** Datasets by suite and name, with all their versions. */
const DatasetsView = ({ datasets }: { datasets: readonly ListedDataset[] }) => {
  const named = Map.groupBy(datasets, ({ suite, name }) => `${suite}/${name}`);
  return datasets.length === 0 ? (
    <p class="soft">No datasets yet.</p>
  ) : (
    <ListTable
      label="List of datasets"
      heads={["Dataset", "Suite", "Versions", "Samples", "Seen as"]}
      rows={[...named.values()].map((versions) => {
        const { suite, name, samples } = versions[0]!;
        const seen = [...new Set(versions.map(({ visibility }) => visibility))];
        const path = `/v1/datasets/${encodeURIComponent(suite)}/${encodeURIComponent(name)}`;
        return [
          name,
          suite,
          formatCount(versions.length),
          formatCount(samples),
          seen.join(", "),
          levels
            .filter((level) => seen.some((one) => one !== level))
            .map((to) => (
              <button
                type="button"
                data-plan={JSON.stringify({ path, to })}
                aria-label={`Make ${to}… ${name}`}
              >
                Make {to}…
              </button>
            )),
        ];
      })}
    />
  );
};

const openedText = ({ runs, opens }: Pick<Share, "runs" | "opens">): string => {
  if (opens === null) return runs.join(", ");
  if ("board" in opens) return `Board of ${opens.board.dataset}, ${opens.board.suite}`;
  return "parity" in opens ? `Parity ${opens.parity}` : "A study of judgings";
};

const LinksView = ({ shares }: { shares: readonly Share[] }) =>
  shares.length === 0 ? (
    <p class="soft">No links yet.</p>
  ) : (
    <ListTable
      label="List of links"
      heads={["Opens", "For", "Made", "By", "Ends"]}
      rows={shares.map(({ id, note, createdAt, createdBy, expiresAt, revokedAt, runs, opens }) => [
        openedText({ runs, opens }),
        note ?? "",
        formatDate(createdAt),
        createdBy ?? "",
        revokedAt === null ? formatDate(expiresAt) : `revoked ${formatDate(revokedAt)}`,
        revokedAt === null && (
          <button type="button" data-end-link={id} aria-label={`Revoke the link ${note ?? id}`}>
            Revoke
          </button>
        ),
      ])}
    />
  );

/** Shows the account's datasets and links. */
export async function showThings(): Promise<void> {
  planned = null;
  put("[data-planned]", null);
  const [{ datasets }, { shares }] = await Promise.all([
    call<{ datasets: ListedDataset[] }>(`/v1/datasets?mine=true&limit=${MOST_LISTED}`),
    call<{ shares: Share[] }>(`/v1/shares?limit=${MOST_LISTED}`),
  ]);
  put("[data-datasets]", <DatasetsView datasets={datasets} />);
  put("[data-links]", <LinksView shares={shares} />);
}

/** Actions of the buttons of datasets and links. */
export const thingActions: Record<string, (value: string) => Promise<void>> = {
  async plan(value) {
    const { path, to } = JSON.parse(value) as NonNullable<typeof planned>;
    const body = { visibility: to };
    const would = await call<DatasetVisibilityChange>(`${path}?dryRun=true`, {
      method: "PATCH",
      body,
    });
    planned = { path, to };
    put("[data-planned]", <PlannedView change={would} />);
  },
  async confirm(value) {
    if (value !== "" && planned !== null) {
      await call(planned.path, { method: "PATCH", body: { visibility: planned.to } });
    }
    await showThings();
  },
  async endLink(id) {
    await call(`/v1/shares/${encodeURIComponent(id)}`, { method: "DELETE" });
    await showThings();
  },
};
