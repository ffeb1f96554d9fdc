/** Header with the token of a share link. The token is never in an address, because addresses are logged. */
export const SHARE_HEADER = "assay-share";

/** Header with the organisation for which a session acts; without it, the session acts for its person. */
export const OWNER_HEADER = "x-assay-owner";

/** Cookie, after the prefix `__Host-`, that tells pages that a session exists. Pages can't read the session's token. */
export const SIGNED_IN_MARK = "assay-signed-in";
