/**
 * The hosts of a deployment, as its variable OWN_HOSTS names them: separated by commas, with or without a port. Lower
 * case; empty for an empty text.
 * @example readOwnHosts("assay.example.com, Assay.LAN:8080") // ["assay.example.com", "assay.lan:8080"]
 */
export const readOwnHosts = (text: string): string[] =>
  text.split(",").flatMap((host) => host.trim().toLowerCase() || []);

/** Whether a host, with its port, is one of a deployment's own; one that is named without a port has any. */
export const isOwnHost = (host: string, ownHosts: readonly string[]): boolean =>
  ownHosts.some((own) => own === host || own === host.replace(/:\d+$/, ""));
