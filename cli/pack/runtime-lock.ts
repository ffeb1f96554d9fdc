/** A package of a lock file. */
export interface LockedPackage {
  version: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
}

type Packages = Readonly<Record<string, LockedPackage>>;

/** Manifest and lock file with which npm installs a part of the project's packages. */
export interface PartialInstall {
  manifest: object;
  lock: object;
}

/**
 * The manifest and the lock file for one package of a project and its dependencies, with the same versions and
 * hashes. `packages`: the project's lock file by path, such as `node_modules/ws`. Throws if a package is missing in it.
 */
export function partialInstall(packages: Packages, name: string): PartialInstall {
  const required = new Map<string, boolean>();
  const visit = (path: string, isRequired: boolean) => {
    if (required.get(path) === true || required.get(path) === isRequired) return;
    required.set(path, isRequired);
    const { dependencies = {}, optionalDependencies = {} } = packages[path] ?? {};
    for (const one of [...Object.keys(dependencies), ...neededPeers(packages[path])]) {
      visit(installedAt(packages, path, one), isRequired);
    }
    for (const one of Object.keys(optionalDependencies)) {
      visit(installedAt(packages, path, one), false);
    }
  };
  const top = installedAt(packages, "", name);
  visit(top, true);
  const version = packages[top]?.version;
  const manifest = {
    name: "assay-runtime",
    private: true,
    dependencies: { [name]: version },
  };
  const entries = [...required]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, isRequired]) => {
      const { dev: _, devOptional: __, optional: ___, ...locked } = packages[path]!;
      return [path, isRequired ? locked : { ...locked, optional: true }];
    });
  const lock = {
    name: manifest.name,
    lockfileVersion: 3,
    requires: true,
    packages: { "": manifest, ...Object.fromEntries(entries) },
  };
  return { manifest, lock };
}

const neededPeers = ({
  peerDependencies = {},
  peerDependenciesMeta = {},
}: Partial<LockedPackage> = {}) =>
  Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);

/** The path at which Node resolves a package that the package at `path` imports. */
function installedAt(packages: Packages, path: string, name: string): string {
  for (
    let folder = path;
    ;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))
  ) {
    const found = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[found] !== undefined) return found;
    if (folder === "")
      throw new Error(`package-lock.json has no ${name}, which ${path || "the project"} needs`);
  }
}
