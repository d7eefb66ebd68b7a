import type { DomainProblem } from "./DomainProof.ts"
import type { ImportTotals } from "./ImportRow.ts"
import type { LoginFailure } from "./LoginFailure.ts"
import type { LoginMethod } from "./LoginMethod.ts"
import type { OperatorRole } from "./OperatorRole.ts"
import type { Resettable } from "./RealmReset.ts"
import type { SessionEnd } from "./Session.ts"

/** The result of an import. The names match the import's summary (C79). */
export interface ImportOutcome {
  /** Whether all rows were processed. */
  readonly complete: boolean
  readonly rows: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly refused: number
  readonly orgs_created: number
}

/** An operator after a change, or before the deletion. */
export interface OperatorDetails {
  readonly email: string
  readonly role: OperatorRole
  /** The realm that the operator is locked to. */
  readonly realm_id: string | null
}

/** The domain of an org, and why it isn't proved, if that is what the event is about. */
export interface DomainDetails {
  readonly id: string
  readonly name: string
  readonly problem?: DomainProblem
}

/** Event details beyond ids, for the few types that have any (C87). They are stored and shown in the same form. */
export interface EventDetails {
  /** For `session.deleted` a `SessionEnd`, for `user.login.failed` a `LoginFailure`. */
  readonly reason?: SessionEnd | LoginFailure
  /** For `user.login.succeeded`: the methods of the login, in the order they were used. */
  readonly methods?: ReadonlyArray<LoginMethod>
  /** For `user.login.failed`, if the event covers several attempts. */
  readonly attempts?: number
  /** For `user.login.failed`, if the realm records unknown names. */
  readonly names?: ReadonlyArray<string>
  /** For `realm.imported`. */
  readonly import?: ImportOutcome
  /** For `realm.reset`: the kinds of resources deleted. */
  readonly reset?: ReadonlyArray<Resettable>
  /** For `operator.*`. */
  readonly operator?: OperatorDetails
  /** For `domain.*`. */
  readonly domain?: DomainDetails
}

export const importOutcome = (totals: ImportTotals, complete: boolean): ImportOutcome => {
  const { created, updated, unchanged, refused, orgsCreated } = totals
  const rows = created + updated + unchanged + refused
  return { complete, rows, created, updated, unchanged, refused, orgs_created: orgsCreated }
}
