import type { PublicOwner } from "#shared/contracts/keys/account.ts";

/**
 * Who submitted a run: the display name, with its initial, and domains that the account has proven. Pictures of others are
 * not loaded: their servers would see who reads.
 */
export const OwnerMark = ({ owner }: { owner: PublicOwner | undefined }) => {
  if (owner === undefined) return null;
  const name = owner.name ?? owner.owner;
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
