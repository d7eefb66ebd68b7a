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
import { type BatchPlan, claimed, makePlan, usersNamed } from "./BatchPlan.ts"
import { Holders } from "./Claims.ts"
import { orgsNamed } from "./OrgsOfRows.ts"
import { type DraftedRow, makeRowDrafts } from "./RowDrafts.ts"
import type { Validation } from "./Validation.ts"

/** How often a batch is tried again after changes of others got in its way. */
const MAX_TRIES = 5

/** How many users an import creates before the database's statistics may be brought up to date. */
const FIRST_STATISTICS = 300

/** After so many rows other work of the process gets its turn. */
const ROWS_AT_A_TURN = 20

/** References longer than this are remembered by their digest. */
const LONG_REFERENCE = 64

/** An import under way. */
export interface ImportRun {
  /**
   * Imports the rows of a batch in one transaction, and returns those that are refused, in order. Fails if nothing of the batch
   * was written.
   */
  write(
    rows: ReadonlyArray<ImportRow>
  ): Effect.Effect<ReadonlyArray<RefusedRow>, ImportConflict | RealmNotFound, CurrentRealm>
  /** Counts a row that could not be read. */
  refuse(): void
  readonly totals: ImportTotals
  /** Records what became of an import that has changed something: `realm.imported`, once. `complete`: whether all rows were read. */
  end(complete: boolean): Effect.Effect<void, RealmNotFound, CurrentRealm>
}

/** Whether a plan writes anything. */
const hasChanges = (plan: BatchPlan): boolean => plan.newUsers.length + plan.changedUsers.length > 0

/** Imports users from another system, or from an export (C66, C79). */
export class Imports extends Context.Service<
  Imports,
  {
    /**
     * Begins an import. The first change records `realm.importing`, and the end of a session is recorded as ever; with `events`,
     * each change records its own events as well, except those that ask for something by mail.
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

      /** What the realm has of what rows name, with the orgs that earlier rows of a dry run would have made. */
      const find = Effect.fnUntraced(function* (rows: ReadonlyArray<DraftedRow>, dryOrgs: ReadonlyMap<string, Org>) {
        const { id } = yield* CurrentRealm
        const named = usersNamed(rows)
        const users = yield* repo.users(id, named.references, named.ids)
        const orgs = orgsNamed(rows.flatMap((row) => row.memberships.map(({ org }) => org)))
        const isWithoutOrgs = orgs.references.length + orgs.ids.length === 0
        const found = isWithoutOrgs ? [] : yield* repo.orgs(id, orgs.references, orgs.ids)
        return { users, orgs: [...found, ...orgs.references.flatMap((reference) => dryOrgs.get(reference) ?? [])] }
      })

      return Imports.of({
        begin: Effect.fnUntraced(function* ({ dryRun, events }) {
          const { id: realmId, limits: own } = yield* CurrentRealm
          yield* limits.take("imports", realmId, own)
          const totals = { created: 0, updated: 0, unchanged: 0, refused: 0, orgsCreated: 0 }
          /** The lines of the rows that were used, by their references. */
          const seen = new Map<string, number>()
          const dryOrgs = new Map<string, Org>()
          const holders = new Holders([])
          let begun = false
          let ended = false
          let refreshAt = FIRST_STATISTICS
          let known: ReadonlyArray<AuthProvider> | undefined

          const planOf = Effect.fnUntraced(function* (rows: ReadonlyArray<DraftedRow>, now: DateTime.Utc) {
            const realm = yield* CurrentRealm
            const found = yield* find(rows, dryOrgs)
            const values = claimed(rows, found.users, realm, isOwnHash)
            const taken = values === undefined ? [] : yield* repo.taken(realm.id, values)
            return yield* plan(rows, { ...found, taken, earlier: holders }, realm, now)
          })

          const endedSessions = Effect.fnUntraced(function* (planned: BatchPlan) {
            const events: Array<NewEvent> = []
            for (const { change, replaced } of planned.changedUsers) {
              const { after, revokedPurposes, endsSessions } = change
              if (revokedPurposes.length > 0) yield* tokens.revoke(after, revokedPurposes)
              const reason = replaced ? "password_changed" : "deactivated"
              if (endsSessions || replaced) events.push(...(yield* access.end(after, reason)).events)
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
            const writes = writesOf(planned, importedRows, {
              credentials: yield* credentials.insertion(planned.newCredentials),
              memberships: memberships.insertion
            })
            const first: ReadonlyArray<NewEvent> = begun ? [] : [{ eventType: "realm.importing" }]
            const own = events ? eventsOf(planned) : []
            // Apps listen to the end of sessions, so a quiet import tells it, too.
            yield* journal.write([{ writes, events: [...first, ...own, ...sessionEvents] }])
          })

          const count = (planned: BatchPlan) => {
            begun ||= hasChanges(planned)
            totals.created += planned.newUsers.length
            totals.updated += planned.changedUsers.length
            totals.unchanged += planned.unchanged
            totals.orgsCreated += planned.newOrgs.length
          }

          const inTransaction = (rows: ReadonlyArray<DraftedRow>, now: DateTime.Utc) =>
            transaction.run(
              Effect.gen(function* () {
                yield* repo.lock(realmId)
                let planned = yield* planOf(rows, now)
                const locked = new Set<string>()
                // What is to be changed is locked, and read again as it is then.
                while (planned.changedUsers.some(({ change }) => !locked.has(change.after.id))) {
                  const changed = planned.changedUsers.map(({ change }) => change.after.id)
                  yield* repo.lockUsers(realmId, changed)
                  for (const id of changed) locked.add(id)
                  planned = yield* planOf(rows, now)
                }
                if (hasChanges(planned)) yield* apply(planned, now)
                // What is written counts, even if the caller goes at that moment.
                yield* transaction.afterCommit(Effect.sync(() => count(planned)))
                return planned
              })
            )

          const drafts = Effect.fnUntraced(function* (rows: ReadonlyArray<ImportRow>, rules: Validation) {
            const [valid, refused]: [Array<DraftedRow>, Array<RefusedRow>] = [[], []]
            const batch = new Map<string, number>()
            for (const [index, row] of rows.entries()) {
              if (index % ROWS_AT_A_TURN === 0) yield* Effect.yieldNow
              const { line, reference } = row
              const key = rememberedAs(reference ?? "")
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

          /** Early in an import, and then each time that it has grown fourfold. */
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
            return [...refused, ...planned.refused].toSorted((a, b) => a.line - b.line)
          })

          return {
            totals,
            refuse: () => {
              totals.refused += 1
            },
            end: Effect.fnUntraced(function* (complete: boolean) {
              if (!begun || dryRun || ended) return
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

const rememberedAs = (reference: string): string =>
  reference.length > LONG_REFERENCE ? sha256Text(reference) : reference
