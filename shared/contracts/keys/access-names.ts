/** Header that carries the token of a share link. Never in an address, because addresses are logged. */
export const SHARE_HEADER = "assay-share";

/** Header with the organisation for which a session acts; without it, it acts for its person. */
export const OWNER_HEADER = "x-assay-owner";

/** Cookie, behind the prefix `__Host-`, by which pages know that there is a session. They can't read its token. */
export const SIGNED_IN_MARK = "assay-signed-in";
