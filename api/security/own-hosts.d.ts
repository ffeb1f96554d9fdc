/** Settings that decide which addresses the service may call. */
export interface CallRules {
    /** Whether private networks and the local machine may be called, and so its own hosts, too. */
    allowPrivateEndpoints: boolean;
    /** Hosts of the service and its site. */
    ownHosts: readonly string[];
}
/**
 * The hosts in the variable OWN_HOSTS: separated by commas, with or without a port; `*` is any one label. Lower case;
 * empty for an empty text.
 * @example readOwnHosts("assay.example.com, Assay.LAN:8080") // ["assay.example.com", "assay.lan:8080"]
 */
export declare const readOwnHosts: (text: string) => string[];
/** Whether a host (with port) is one of the deployment's own. An own host without a port matches every port. */
export declare const isOwnHost: (host: string, ownHosts: readonly string[]) => boolean;
/**
 * The zone that a host shares with the service, or the host itself; null if it shares none. Within its own zone, a call
 * could bypass the protections of the origin. A zone is a registrable domain (Public Suffix List), on workers.dev an
 * account's subdomain. Hosts above and below the service's own are included.
 * @example ownZoneOf("models.example.com", ["assay.example.com"]) // "example.com"
 */
export declare function ownZoneOf(host: string, ownHosts: readonly string[]): string | null;
