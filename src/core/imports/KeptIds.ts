import type { Realm } from "#domain/Realm"
import { type Problem, problem } from "#domain/Rejected"
import type { IdsInRows, StoredIds } from "#store/imports/ImportsRepo"
import type { DraftedRow } from "./RowDrafts.ts"

/** The ids of users and orgs in the rows. */
export const idsInRows = (rows: ReadonlyArray<DraftedRow>): IdsInRows => ({
  users: rows.flatMap(({ id }) => id ?? []),
  orgs: [
    ...new Set(
      rows.flatMap(({ memberships }) =>
        memberships.flatMap(({ org }) => (org !== null && org.by === "reference" ? (org.id ?? []) : []))
      )
    )
  ]
})

/** Returns whether rows contain ids of users or orgs. */
export const hasIds = (rows: ReadonlyArray<DraftedRow>): boolean => {
  const { users, orgs } = idsInRows(rows)
  return users.length + orgs.length > 0
}

/** Decides whether new users and orgs of an import may have the ids in its rows (C285). */
export interface KeptIds {
  /** Returns the reason why a new user or org can't have this id, if there is one. */
  readonly problemOf: (id: string) => Problem | undefined
}

/**
 * `isAllowed`: whether the caller's level allows to keep ids. `stored`: what is stored about the ids in the rows, or undefined
 * if the rows contain none.
 */
export const makeKeptIds = (realm: Realm, isAllowed: boolean, stored: StoredIds | undefined): KeptIds => ({
  problemOf: (id) => {
    if (!isAllowed) return problem("id", "id_level")
    if (realm.pendingReset !== null) return problem("id", "clearing_at_work")
    if (stored?.isOpen !== true) return problem("id", "id_realm_not_empty")
    const holder = stored.holders.get(id)
    if (holder === undefined) return undefined
    return holder === realm.id ? problem("id", "taken", { user_id: id }) : problem("id", "id_elsewhere")
  }
})
