import type { PublicOwner } from "#shared/contracts/keys/account.ts";
import type { Run, RunModel } from "#shared/contracts/run.ts";
import { answeredByOther, servedIds } from "#shared/measures/performance/served-models.ts";
import { provenanceText, relayText } from "#shared/measures/report/run/provenance-text.ts";
import { cutPlace } from "#shared/measures/report/show/shown-text.ts";

type Props = Pick<Run, "provenance"> & { simulated: boolean };

/** Marks next to every model's name: simulated, called, called by a runner, or self-reported. */
export const ModelMarks = ({ provenance, simulated }: Props) => {
  const { kind, endpointHost, cloudHost, relay } = provenance;
  return (
    <span class="marks">
      {simulated && <span class="mark mark-simulated">simulated model</span>}
      <span class={`mark mark-${kind}`}>{provenanceText(provenance)}</span>
      {relay !== undefined && <span class="small soft">{relayText(relay)}</span>}
      {kind === "called" && (
        <span class="small soft">
          at {cloudHost ? `${endpointHost} and ${cloudHost}` : endpointHost}
        </span>
      )}
    </span>
  );
};

/** Maximum characters of an id in a table; the report has the whole id. */
const mostOfId = 80;

const shortened = (id: string): string =>
  id.length > mostOfId ? `${id.slice(0, cutPlace(id, mostOfId - 1))}…` : id;

const listed = (ids: readonly string[]): string => ids.map(shortened).join(", ");

/** The id of the requested model, and of the one that answered if responses name another. */
export const ModelIds = ({ model }: { model: Pick<RunModel, "asked" | "served"> }) => {
  const { asked = [] } = model;
  const isOther = answeredByOther(model);
  if (asked.length === 0 && !isOther) return null;
  return (
    <small class="ids">
      {asked.length > 0 && (
        <>
          id <span>{listed(asked)}</span>{" "}
        </>
      )}
      {isOther && (
        <b>
          {asked.length > 0 && "≠ "}answered by <span>{listed(servedIds(model))}</span>
        </b>
      )}
    </small>
  );
};

/** Characters with which a name could imitate the mark of a verified domain. */
const CHECK_MARKS = /[✓✔☑✅🗸]/gu;

/**
 * The submitter of a run: display name, its initial, and verified domains. Pictures of other servers are not loaded,
 * because these would learn who is reading.
 */
export const OwnerMark = ({ owner }: { owner: PublicOwner | undefined }) => {
  if (owner === undefined) return null;
  const name = owner.name?.replaceAll(CHECK_MARKS, "").trim() || owner.owner;
  const shown = (
    <>
      <i aria-hidden="true">{[...name][0]?.toUpperCase()}</i> {name}
    </>
  );
  return (
    <span class="by">
      by{" "}
      {owner.url?.startsWith("https://") ? (
        <a href={owner.url} rel="nofollow noopener noreferrer">
          {shown}
        </a>
      ) : (
        shown
      )}
      {owner.domains.map((domain) => (
        <>
          {" "}
          <b class="mark" title={`${owner.owner} has proven that it has this domain`}>
            ✓ {domain}
          </b>
        </>
      ))}
    </span>
  );
};
