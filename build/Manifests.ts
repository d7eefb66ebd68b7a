import { readFileSync } from "node:fs"
import { clientEntries } from "./Entries.ts"

interface Entry {
  readonly types: string
  readonly default: string
}

type Packages = Readonly<Record<string, string>>

interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly type: string
  readonly engines: Packages
  readonly exports: Readonly<Record<string, Entry>>
  readonly dependencies: Packages
  readonly peerDependencies: Packages
}

const { name, version, description, license, type, engines, exports, dependencies, peerDependencies } = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8")
) as Manifest

/** The package with everything except the client. */
export const SERVICE = "sallyport-service"

/** The entries that the package of the client takes from the package of the service. */
export const serviceExports = Object.entries(exports).filter(
  ([, entry]) => !clientEntries.some((module) => entry.default === `./dist/${module}.js`)
)

const jose = { jose: dependencies["jose"] }

const optional = (packages: object) =>
  Object.fromEntries(Object.keys(packages).map((peer) => [peer, { optional: true }]))

const clientPeers = { ...peerDependencies, [SERVICE]: version }

/** The manifest of the package `sallyport`: the client, and the paths under which apps find the rest. */
export const clientManifest = {
  name,
  version,
  description: `${description} This package is its client.`,
  license,
  type,
  engines,
  sideEffects: false,
  bin: { sallyport: "dist/sallyport.js" },
  exports,
  dependencies: jose,
  peerDependencies: clientPeers,
  peerDependenciesMeta: optional(clientPeers)
}

/**
 * The manifest of the package `sallyport-service`. The client is a peer, so that the app and the test kit have the same
 * classes.
 */
export const serviceManifest = {
  name: SERVICE,
  version,
  description: `${description} This package is the service, its command line and its test kit.`,
  license,
  type,
  engines: { node: ">=22.19" },
  sideEffects: false,
  exports: { "./program": "./dist/sallyport.js", ...Object.fromEntries(serviceExports) },
  dependencies,
  peerDependencies: { [name]: version, effect: peerDependencies["effect"] },
  peerDependenciesMeta: optional({ effect: "" })
}
