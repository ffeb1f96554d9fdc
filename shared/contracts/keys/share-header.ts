/** Header that carries the token of a share link. Never in an address, because addresses are logged. */
export const SHARE_HEADER = "assay-share";
