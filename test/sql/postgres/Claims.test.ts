import { DateTime, Duration, Effect } from "effect"
import { describe, expect, test } from "vitest"
import { DeliveriesRepo } from "#store/hooks/DeliveriesRepo"
import { ExpiredRowsRepo } from "#store/operations/ExpiredRowsRepo"
import { InvitationsRepo } from "#store/orgs/InvitationsRepo"
import { MembershipsRepo } from "#store/orgs/MembershipsRepo"
import { JwtKeysRepo } from "#store/realms/JwtKeysRepo"
import { STARTS_AT } from "#testing/TestSallyport"
import { pendingNotification } from "../../support/hooks.ts"
import { idOf, type RepositoryCall, repositoriesOn } from "../../support/repositories.ts"
import { isolatedService, type OwnService } from "../../support/sallyport.ts"

const now = DateTime.makeUnsafe(STARTS_AT)

/** The claims of the background jobs, and how to make one item due. Each claim returns its items or their number. */
const claims: ReadonlyArray<readonly [name: string, prepare: (own: OwnService) => Promise<RepositoryCall>]> = [
  [
    "InvitationsRepo.claimExpired",
    async ({ given }) => {
      await (await given.realm()).invitation({ expires_at: STARTS_AT / 1_000 + 60 })
      return InvitationsRepo.use((repo) => repo.claimExpired(DateTime.add(now, { minutes: 1 }), 10))
    }
  ],
  [
    "MembershipsRepo.claimExpired",
    async ({ given }) => {
      const realm = await given.realm()
      await realm.membership((await realm.user()).id, (await realm.org()).id, { expires_at: STARTS_AT / 1_000 + 60 })
      return MembershipsRepo.use((repo) => repo.claimExpired(DateTime.add(now, { minutes: 1 }), 10))
    }
  ],
  [
    "JwtKeysRepo.deleteRetired",
    async ({ given }) => {
      const realm = await given.realm()
      const [key] = (await realm.get("/v2/jwt_keys")).items
      await realm.delete(`/v2/jwt_keys/${String(key?.["id"])}`)
      return JwtKeysRepo.use((repo) => repo.deleteRetired(DateTime.add(now, { days: 2 }), 10))
    }
  ],
  [
    "ExpiredRowsRepo.deleteSome",
    async ({ given }) => {
      const realm = await given.realm()
      await realm.session((await realm.user()).id)
      return ExpiredRowsRepo.use((repo) => repo.deleteSome("sessions", DateTime.add(now, { days: 700 }), 10))
    }
  ],
  [
    "DeliveriesRepo.claim",
    async ({ given }) => {
      const realm = await given.realm()
      const { hook } = await pendingNotification(realm)
      const key = { realmId: idOf("realm", realm.id), id: idOf("hook", hook.id) }
      return DeliveriesRepo.use((repo) =>
        repo.claim("node", key, now, DateTime.addDuration(now, Duration.hours(1)), 10)
      )
    }
  ]
]

const countOf = (claimed: unknown): number => (Array.isArray(claimed) ? claimed.length : Number(claimed))

describe("rows claimed by one node are skipped by another without waiting", () => {
  test.each(claims)("%s", (_name, prepare) =>
    isolatedService(async (own) => {
      const call = await prepare(own)
      const { sql, otherSql } = own
      const other = otherSql.withTransaction(
        Effect.andThen(otherSql`set local lock_timeout = '1s'`, Effect.provide(call, repositoriesOn(otherSql)))
      )
      const both = sql.withTransaction(Effect.all([Effect.provide(call, repositoriesOn(sql)), other]))
      expect((await Effect.runPromise(both)).map(countOf)).toEqual([1, 0])
    }))
})
