import type { ImportTotals } from "./ImportRow.ts"
import type { LoginFailure } from "./LoginFailure.ts"
import type { Resettable } from "./RealmReset.ts"
import type { SessionEnd } from "./Session.ts"

/** What became of an import, by the names of its summary (C79). */
export interface ImportOutcome {
  /** Whether all rows were worked off. */
  readonly complete: boolean
  readonly rows: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly refused: number
  readonly orgs_created: number
}

/** What an event tells beyond the ids of what it is about, for the few types that do (C87). As stored and as shown. */
export interface EventDetails {
  /** Of `session.deleted`: a `SessionEnd`. Of `user.login.failed`: a `LoginFailure`. */
  readonly reason?: SessionEnd | LoginFailure
  /** Of `user.login.failed`, if the event stands for several attempts. */
  readonly attempts?: number
  /** Of `user.login.failed`, if its realm records the names that nobody has. */
  readonly names?: ReadonlyArray<string>
  /** Of `realm.imported`. */
  readonly import?: ImportOutcome
  /** Of `realm.reset`: what is deleted. */
  readonly reset?: ReadonlyArray<Resettable>
}

export const importOutcome = (totals: ImportTotals, complete: boolean): ImportOutcome => {
  const { created, updated, unchanged, refused, orgsCreated } = totals
  const rows = created + updated + unchanged + refused
  return { complete, rows, created, updated, unchanged, refused, orgs_created: orgsCreated }
}
