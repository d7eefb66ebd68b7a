import { type DateTime, Effect } from "effect"
import { isId, type OrgId } from "#domain/Ids"
import type { Org } from "#domain/Org"
import type { Realm } from "#domain/Realm"
import { isBeingReset } from "#domain/RealmReset"
import { type Problem, problem } from "#domain/Rejected"
import { nonBlank } from "#domain/Text"
import type { IdGenerator } from "#platform/IdGenerator"
import type { KeptIds } from "./KeptIds.ts"
import type { OrgName } from "./RowDrafts.ts"

/** The references and IDs of orgs in the rows. */
export const namedOrgs = (names: ReadonlyArray<OrgName>) => {
  const references = names.flatMap((name) => (name?.by === "reference" ? [name.reference] : []))
  const ids = names.flatMap((name) => (name === null ? [] : (name.id ?? [])))
  return {
    references: [...new Set(references)],
    ids: [...new Set([...references, ...ids])].filter((text): text is OrgId => isId("org", text))
  }
}

/** The orgs to which a batch refers: existing orgs, and orgs created by its rows. */
export interface BatchOrgs {
  /** The orgs created by the batch. */
  readonly created: ReadonlyArray<Org>
  /** Returns the org with this name, or undefined if it doesn't exist yet or the name is ambiguous. */
  readonly find: (name: OrgName) => Org | undefined
  /** Returns the reason why users can't join the org with this name, if there is one. */
  readonly problemOf: (name: OrgName) => Problem | undefined
  /**
   * Returns the org with this name, and creates it if necessary. Returns null if the membership has no org. Call it only if
   * `problemOf` returns undefined.
   */
  readonly findOrCreate: (name: OrgName) => Effect.Effect<Org | null>
}

/** Makes the orgs of a batch. `found` are the stored orgs to which the rows may refer. */
export const makeBatchOrgs = (
  realm: Realm,
  ids: IdGenerator["Service"],
  now: DateTime.Utc,
  found: ReadonlyArray<Org>,
  keptIds: KeptIds
): BatchOrgs => {
  const byId = new Map<string, Org>()
  const byReference = new Map<string, ReadonlyArray<Org>>()
  const created: Array<Org> = []

  const add = (org: Org) => {
    byId.set(org.id, org)
    if (org.reference !== null) byReference.set(org.reference, [...(byReference.get(org.reference) ?? []), org])
  }
  for (const org of found) if (!isBeingReset(realm.pendingReset, "org", org.id)) add(org)

  const find = (name: OrgName): Org | undefined => {
    if (name === null) return undefined
    if (name.by === "id") return byId.get(name.id)
    const [only, ...others] = byReference.get(name.reference) ?? []
    return others.length > 0 ? undefined : (only ?? byId.get(name.reference))
  }

  const problemOf = (name: OrgName): Problem | undefined => {
    if (name === null) return undefined
    const field = name.by === "id" ? "org_id" : "org"
    const org = find(name)
    const isOther = name.by === "reference" && name.id !== undefined && org !== undefined && org.id !== name.id
    if (isOther) return problem("org.id", "unchangeable")
    if (org !== undefined) return org.state === "closed" ? problem(field, "closed") : undefined
    if (name.by === "id") return problem(field, "unknown")
    if (byReference.has(name.reference)) return problem(field, "ambiguous")
    if (nonBlank(name.org.attributes.name ?? null) === null) {
      return problem("org.name", "unknown_org", { reference: name.reference })
    }
    if (name.org.attributes.state === "closed") return problem(field, "closed")
    if (name.id === undefined) return undefined
    const [wrong] = byId.has(name.id) ? [problem("id", "taken")] : [keptIds.problemOf(name.id)]
    return wrong === undefined ? undefined : { ...wrong, field: "org.id" }
  }

  const findOrCreate = Effect.fnUntraced(function* (name: OrgName) {
    const known = find(name)
    if (known !== undefined) return known
    if (name === null || name.by === "id") return null
    const { attributes, createdAt } = name.org
    const org: Org = {
      id: name.id ?? (yield* ids.make("org")),
      realmId: realm.id,
      state: attributes.state ?? "active",
      name: attributes.name ?? "",
      reference: name.reference,
      custom: attributes.custom ?? {},
      createdAt: createdAt ?? now
    }
    add(org)
    created.push(org)
    return org
  })

  return { created, find, problemOf, findOrCreate }
}
