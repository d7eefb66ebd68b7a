import { Context, DateTime, Effect, Layer, Result } from "effect"
import type { AuthProvider } from "#domain/AuthProvider"
import { importOutcome } from "#domain/EventDetails"
import {
  ImportConflict,
  type ImportOptions,
  type ImportRow,
  type ImportTotals,
  type RefusedRow
} from "#domain/ImportRow"
import type { RateLimited } from "#domain/Limit"
import type { Org } from "#domain/Org"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { problem } from "#domain/Rejected"
import { Entropy } from "#platform/Entropy"
import { IdGenerator } from "#platform/IdGenerator"
import { sha256Text } from "#platform/Tokens"
import { Transaction } from "#platform/Transaction"
import { ImportedRows } from "#store/imports/ImportedRows"
import { ImportsRepo } from "#store/imports/ImportsRepo"
import { MembershipsRepo } from "#store/orgs/MembershipsRepo"
import { AuthProvidersRepo } from "#store/realms/AuthProvidersRepo"
import { CredentialsRepo } from "#store/users/CredentialsRepo"
import { Journal } from "../events/Journal.ts"
import type { NewEvent } from "../events/NewEvent.ts"
import { RateLimits } from "../limits/RateLimits.ts"
import { PasswordHasher } from "../passwords/PasswordHasher.ts"
import { AccessEnds } from "../provisioning/AccessEnds.ts"
import { ApiKeyDigests } from "../tokens/ApiKeyDigests.ts"
import { OneTimeTokens } from "../tokens/OneTimeTokens.ts"
import { eventsOf, writesOf } from "./BatchChanges.ts"
import { namedOrgs } from "./BatchOrgs.ts"
import { type BatchPlan, claimedValues, makePlan, namedUsers } from "./BatchPlan.ts"
import { Holders } from "./Claims.ts"
import { hasIds, idsInRows, makeKeptIds } from "./KeptIds.ts"
import { type DraftedRow, makeRowDrafts } from "./RowDrafts.ts"
import type { Validation } from "./Validation.ts"

/** The maximum number of attempts for a batch that conflicts with concurrent changes. */
const MAX_TRIES = 5

/** The number of created users after which an import first refreshes the database's statistics. */
const FIRST_STATISTICS = 300

/** The number of rows after which the import yields to other work in the process. */
const ROWS_PER_TURN = 20

/** The maximum length of references remembered as text. Longer references are remembered by their digest. */
const LONG_REFERENCE = 64

/** A running import. */
export interface ImportRun {
  /**
   * Imports a batch of rows in one transaction and returns the rejected rows, in order. If it fails, no row of the batch was
   * written.
   */
  write(
    rows: ReadonlyArray<ImportRow>
  ): Effect.Effect<ReadonlyArray<RefusedRow>, ImportConflict | RealmNotFound, CurrentRealm>
  /** Counts a row that could not be parsed. */
  countUnreadable(): void
  readonly totals: ImportTotals
  /**
   * Ends the import. If it has changed anything, records `realm.imported` once, with the totals. `complete` is true if all
   * rows were read.
   */
  end(complete: boolean): Effect.Effect<void, RealmNotFound, CurrentRealm>
}

/** Returns whether a plan writes anything. */
const hasChanges = (plan: BatchPlan): boolean => plan.newUsers.length + plan.changedUsers.length > 0

/** Imports users from another system, or from an export (C66, C79). */
export class Imports extends Context.Service<
  Imports,
  {
    /**
     * Begins an import. Its first change records `realm.importing`. Ended sessions always record their events. If `events` is
     * true, each change also records its own events, except events that send a token by email.
     */
    begin(options: ImportOptions): Effect.Effect<ImportRun, RateLimited, CurrentRealm>
  }
>()("sallyport/core/Imports") {
  static readonly layer = Layer.effect(
    Imports,
    Effect.gen(function* () {
      const ids = yield* IdGenerator
      const entropy = yield* Entropy
      const repo = yield* ImportsRepo
      const importedRows = yield* ImportedRows
      const providers = yield* AuthProvidersRepo
      const credentials = yield* CredentialsRepo
      const memberships = yield* MembershipsRepo
      const access = yield* AccessEnds
      const tokens = yield* OneTimeTokens
      const limits = yield* RateLimits
      const journal = yield* Journal
      const transaction = yield* Transaction
      const draftOf = makeRowDrafts(yield* ApiKeyDigests)
      const { isCurrent: isOwnHash } = yield* PasswordHasher
      const plan = makePlan({ ids, entropy, isOwnHash })

      const allProviders = Effect.flatMap(CurrentRealm, (realm) =>
        providers.list(
          realm.id,
          { providerType: undefined, state: undefined },
          { after: undefined, maxResults: 1_000, sort: "id", direction: "asc" }
        )
      )

      /** Finds the users and orgs to which rows refer. In a dry run, includes the orgs that earlier rows would have created. */
      const find = Effect.fnUntraced(function* (rows: ReadonlyArray<DraftedRow>, dryOrgs: ReadonlyMap<string, Org>) {
        const { id } = yield* CurrentRealm
        const named = namedUsers(rows)
        const users = yield* repo.users(id, named.references, named.ids)
        const orgs = namedOrgs(rows.flatMap((row) => row.memberships.map(({ org }) => org)))
        const isWithoutOrgs = orgs.references.length + orgs.ids.length === 0
        const found = isWithoutOrgs ? [] : yield* repo.orgs(id, orgs.references, orgs.ids)
        return { users, orgs: [...found, ...orgs.references.flatMap((reference) => dryOrgs.get(reference) ?? [])] }
      })

      return Imports.of({
        begin: Effect.fnUntraced(function* ({ dryRun, events, keepsIds }) {
          const { id: realmId, limits: own } = yield* CurrentRealm
          yield* limits.take("imports", realmId, own)
          const totals = { created: 0, updated: 0, unchanged: 0, refused: 0, orgsCreated: 0 }
          /** The line where each reference was first used. */
          const seen = new Map<string, number>()
          const dryOrgs = new Map<string, Org>()
          const holders = new Holders([])
          let hasBegun = false
          let ended = false
          let refreshAt = FIRST_STATISTICS
          let known: ReadonlyArray<AuthProvider> | undefined

          const planOf = Effect.fnUntraced(function* (rows: ReadonlyArray<DraftedRow>, now: DateTime.Utc) {
            const realm = yield* CurrentRealm
            const found = yield* find(rows, dryOrgs)
            const values = claimedValues(rows, found.users, realm, isOwnHash)
            const taken = values === undefined ? [] : yield* repo.taken(realm.id, values)
            const stored = hasIds(rows) ? yield* repo.storedIds(realm.id, idsInRows(rows)) : undefined
            const keptIds = makeKeptIds(realm, keepsIds, stored)
            return yield* plan(rows, { ...found, taken, keptIds, earlier: holders }, realm, now)
          })

          const endedSessions = Effect.fnUntraced(function* (planned: BatchPlan) {
            const events: Array<NewEvent> = []
            for (const { change, replacesPassword } of planned.changedUsers) {
              const { after, revokedPurposes, endsSessions } = change
              if (revokedPurposes.length > 0) yield* tokens.revoke(after, revokedPurposes)
              const reason = replacesPassword ? "password_changed" : "deactivated"
              if (endsSessions || replacesPassword) events.push(...(yield* access.end(after, reason)).events)
            }
            return events
          })

          const apply = Effect.fnUntraced(function* (planned: BatchPlan, now: DateTime.Utc) {
            const { expired } = planned
            if (expired.length > 0) {
              const users = expired.map(({ userId }) => userId)
              const orgs = expired.flatMap(({ orgId }) => orgId ?? [])
              yield* memberships.deleteExpired(realmId, users, orgs, now)
              if (orgs.length < expired.length) yield* memberships.deleteExpired(realmId, users, [], now)
            }
            const sessionEvents = yield* endedSessions(planned)
            if (planned.keepsIds) yield* repo.keepIds(realmId, now)
            const writes = writesOf(planned, importedRows, {
              credentials: yield* credentials.insertion(planned.newCredentials),
              memberships: memberships.insertion
            })
            const first: ReadonlyArray<NewEvent> = hasBegun ? [] : [{ eventType: "realm.importing" }]
            const own = events ? eventsOf(planned) : []
            // Apps rely on the events of ended sessions, so record them even if `events` is false.
            yield* journal.write([{ writes, events: [...first, ...own, ...sessionEvents] }])
          })

          const count = (planned: BatchPlan) => {
            hasBegun ||= hasChanges(planned)
            totals.created += planned.newUsers.length
            totals.updated += planned.changedUsers.length
            totals.unchanged += planned.unchanged
            totals.orgsCreated += planned.newOrgs.length
          }

          const inTransaction = (rows: ReadonlyArray<DraftedRow>, now: DateTime.Utc) =>
            transaction.run(
              Effect.gen(function* () {
                yield* repo.lock(realmId)
                if (keepsIds && hasIds(rows)) yield* repo.lockIds
                let planned = yield* planOf(rows, now)
                const locked = new Set<string>()
                // Lock the users to be changed, then plan again with their current data. Repeat until the plan only changes
                // locked users.
                while (planned.changedUsers.some(({ change }) => !locked.has(change.after.id))) {
                  const changed = planned.changedUsers.map(({ change }) => change.after.id)
                  yield* repo.lockUsers(realmId, changed)
                  for (const id of changed) locked.add(id)
                  planned = yield* planOf(rows, now)
                }
                if (hasChanges(planned)) yield* apply(planned, now)
                // Count the rows after the commit, so that they count even if the caller disconnects at that moment.
                yield* transaction.afterCommit(Effect.sync(() => count(planned)))
                return planned
              })
            )

          const drafts = Effect.fnUntraced(function* (rows: ReadonlyArray<ImportRow>, rules: Validation) {
            const [valid, refused]: [Array<DraftedRow>, Array<RefusedRow>] = [[], []]
            const batch = new Map<string, number>()
            for (const [index, row] of rows.entries()) {
              if (index % ROWS_PER_TURN === 0) yield* Effect.yieldNow
              const { line, reference } = row
              const key = referenceKey(reference ?? "")
              const drafted = yield* draftOf(row, rules)
              const problems = Result.isFailure(drafted) ? [...drafted.failure] : []
              const earlier = seen.get(key) ?? batch.get(key)
              if (earlier !== undefined) problems.unshift(problem("reference", "repeated_row", { line: earlier }))
              if (Result.isFailure(drafted) || problems.length > 0) refused.push({ line, reference, problems })
              else {
                batch.set(key, line)
                valid.push(drafted.success)
              }
            }
            return { valid, refused, batch }
          })

          /**
           * Refreshes the database's statistics early in an import, then each time the number of created users has quadrupled.
           */
          const refreshStatistics = Effect.fnUntraced(function* (created: number) {
            if (created < refreshAt) return
            refreshAt = created * 4
            yield* repo.refreshStatistics(created)
          })

          const attempt = Effect.fnUntraced(function* (rows: ReadonlyArray<ImportRow>) {
            known ??= yield* allProviders
            const now = yield* DateTime.now
            const { valid, refused, batch } = yield* drafts(rows, { now, providers: known })
            const planned =
              valid.length === 0 ? undefined : yield* dryRun ? planOf(valid, now) : inTransaction(valid, now)
            for (const [key, line] of batch) seen.set(key, line)
            if (planned === undefined) return refused
            holders.mergeLines(planned.holders)
            if (dryRun) {
              count(planned)
              holders.merge(planned.holders)
              for (const org of planned.newOrgs) if (org.reference !== null) dryOrgs.set(org.reference, org)
            }
            if (!dryRun) yield* refreshStatistics(totals.created)
            return [...refused, ...planned.rejectedRows].toSorted((a, b) => a.line - b.line)
          })

          return {
            totals,
            countUnreadable: () => {
              totals.refused += 1
            },
            end: Effect.fnUntraced(function* (complete: boolean) {
              if (!hasBegun || dryRun || ended) return
              yield* journal.record([
                { eventType: "realm.imported", details: { import: importOutcome(totals, complete) } }
              ])
              ended = true
            }, Effect.uninterruptible),
            write: Effect.fnUntraced(function* (rows: ReadonlyArray<ImportRow>) {
              for (let tries = 1; ; tries += 1) {
                const done = yield* Effect.result(attempt(rows))
                if (Result.isSuccess(done)) {
                  totals.refused += done.success.length
                  return done.success
                }
                if (!(done.failure instanceof ImportConflict) || tries === MAX_TRIES) return yield* done.failure
                known = undefined
              }
            })
          }
        })
      })
    })
  )
}

const referenceKey = (reference: string): string =>
  reference.length > LONG_REFERENCE ? sha256Text(reference) : reference
