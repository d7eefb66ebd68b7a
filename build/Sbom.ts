import { readFileSync } from "node:fs"
import { join } from "node:path"
import { type Package, packageIn } from "./Licenses.ts"

/** A component in a CycloneDX 1.6 bill of materials. */
export interface Component {
  readonly type: "application" | "library"
  readonly "bom-ref": string
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly cpe?: string
  readonly licenses?: ReadonlyArray<{ readonly expression: string } | { readonly license: { readonly name: string } }>
  readonly hashes?: ReadonlyArray<{ readonly alg: "SHA-512"; readonly content: string }>
}

/** A component identified by its package URL. */
export const componentOf = (
  type: Component["type"],
  name: string,
  version: string,
  purl: string,
  more: Pick<Component, "cpe" | "licenses" | "hashes"> = {}
): Component => ({ type, "bom-ref": purl, name, version, purl, ...more })

interface Lock {
  readonly packages: Readonly<Record<string, { readonly integrity?: string }>>
}

const sha512Of = (integrity: string | undefined): Pick<Component, "hashes"> => {
  const [, digest] = /^sha512-(\S+)$/.exec(integrity ?? "") ?? []
  if (digest === undefined) return {}
  return { hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }] }
}

/** Converts npm packages to components, with the digests of their archives. */
export const npmComponents = (root: string, packages: ReadonlyArray<Package>): ReadonlyArray<Component> => {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as Lock
  return packages.map(({ name, version, license = "unknown", folder }) => {
    const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`
    const known = /^[\w.+() -]+$/.test(license) && license !== "unknown"
    return componentOf("library", name, version, purl, {
      licenses: [known ? { expression: license } : { license: { name: license } }],
      ...sha512Of(lock.packages[folder]?.integrity)
    })
  })
}

/**
 * Returns the bill of materials of this release (CycloneDX JSON), with its third-party components. The same input gives
 * the same text.
 */
export const billOf = (root: string, components: ReadonlyArray<Component>): string => {
  const { name, version } = packageIn(root, ".")
  const subject = componentOf("application", name, version, `pkg:npm/${name}@${version}`)
  const parts = [...new Map(components.map((part) => [part["bom-ref"], part])).values()]
  const bill = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: subject },
    components: parts,
    dependencies: [{ ref: subject["bom-ref"], dependsOn: parts.map((part) => part["bom-ref"]) }]
  }
  return `${JSON.stringify(bill, null, 2)}\n`
}
