import { Context, DateTime, Duration, Effect, Layer, Metric } from "effect"
import { decideDelivery, type Outcome } from "#domain/Delivery"
import { LOGOUT_TOKEN_TYPE, logoutClaims } from "#domain/oauth/LogoutToken"
import { Entropy } from "#platform/Entropy"
import { Outbound } from "#platform/Outbound"
import { randomSecret } from "#platform/Tokens"
import { Transaction } from "#platform/Transaction"
import { type ClientKey, type LogoutNotice, OAuthLogoutsRepo } from "#store/oauth/OAuthLogoutsRepo"
import { Journal } from "../events/Journal.ts"
import { outcomeOf } from "../hooks/Webhooks.ts"
import { Issuer } from "../keys/Issuer.ts"
import { KeyRing } from "../keys/KeyRing.ts"
import { DatabaseOutage } from "../nodes/DatabaseOutage.ts"
import { Nodes } from "../nodes/Nodes.ts"

/** How long a claimed notice is reserved. This is longer than any attempt takes. */
const LEASE = Duration.minutes(2)

const attempts = Metric.counter("logout_notice_attempts_total", {
  description:
    "Attempts to notify OAuth clients of the end of a session, by result: delivered, refused, gone, skipped.",
  incremental: true
})

const notDelivered = (result: string): Outcome => ({ _tag: "Refused", result, retryAfter: undefined })

/** Notifies OAuth clients of ended sessions (OpenID Connect Back-Channel Logout 1.0). */
export class BackchannelLogouts extends Context.Service<
  BackchannelLogouts,
  {
    /**
     * Sends up to `limit` of a client's due logout notices, concurrently. Retries follow the schedule of webhooks (C37). After
     * the last attempt, `oauth.logout.failed` is recorded.
     */
    attemptDue(
      key: ClientKey,
      limit: number
    ): Effect.Effect<{ readonly attempts: number; readonly hasDelivered: boolean }>
  }
>()("sallyport/core/BackchannelLogouts") {
  static readonly layer = Layer.effect(
    BackchannelLogouts,
    Effect.gen(function* () {
      const repo = yield* OAuthLogoutsRepo
      const keys = yield* KeyRing
      const issuer = yield* Issuer
      const outbound = yield* Outbound
      const entropy = yield* Entropy
      const nodes = yield* Nodes
      const outage = yield* DatabaseOutage
      const journal = yield* Journal
      const transaction = yield* Transaction

      const attempt = Effect.fnUntraced(function* ({ realmId, clientId, userId, sid, uri }: LogoutNotice) {
        const skipped: Outcome = { _tag: "Skipped", result: "" }
        if (uri === null) return skipped
        const at = yield* DateTime.now
        const claims = { issuer: issuer.of(realmId), clientId, userId, sid, jti: randomSecret(entropy), at }
        const token = yield* keys.signRs256(realmId, logoutClaims(claims), LOGOUT_TOKEN_TYPE)
        if (token === undefined) return notDelivered("no_key")
        const headers = { "content-type": "application/x-www-form-urlencoded" }
        const body = new URLSearchParams({ logout_token: token }).toString()
        return yield* outbound.post({ url: uri, headers, body }).pipe(
          Effect.flatMap((answer) => Effect.map(DateTime.now, (now) => outcomeOf(answer, now))),
          Effect.catchTag("OutboundFailed", ({ reason }) => Effect.succeed(notDelivered(reason)))
        )
      })

      const failPermanently = (notice: LogoutNotice) =>
        transaction
          .run(
            Effect.gen(function* () {
              if (!(yield* repo.delete(notice))) return
              const { realmId, userId, clientId, sid } = notice
              yield* journal.recordIn(realmId, [
                { eventType: "oauth.logout.failed", userId, appId: clientId, sessionId: sid }
              ])
            })
          )
          // If the realm was deleted in the meantime, its notices were deleted too.
          .pipe(Effect.catchTag("RealmNotFound", () => Effect.void))

      const settle = Effect.fnUntraced(function* (notice: LogoutNotice, outcome: Outcome, now: DateTime.Utc) {
        const [byte = 0] = entropy.bytes(1)
        const after = decideDelivery(notice.attempts, outcome, now, byte / 255)
        if ("dueAt" in after) return yield* repo.postpone(notice, after.dueAt, notice.attempts)
        yield* after.state === "failed" ? failPermanently(notice) : repo.delete(notice)
      })

      /** Releases a notice whose attempt was interrupted because the node is stopping. */
      const release = (notice: LogoutNotice, now: DateTime.Utc) => repo.postpone(notice, now, notice.attempts - 1)

      const attemptOne = (notice: LogoutNotice, now: DateTime.Utc) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.gen(function* () {
            const outcome = yield* Effect.onInterrupt(
              restore(outage.orOnceAvailable(attempt(notice), Effect.undefined)),
              () => release(notice, now)
            )
            // The token couldn't be signed, so nothing was sent.
            if (outcome === undefined)
              return yield* Effect.as(outage.retryUntilAvailable(release(notice, now)), undefined)
            // Interruptible, so that a stopping node doesn't wait until its clock is right. The claim of the notice ends with
            // the node.
            yield* outage.retryUntilAvailable(settle(notice, outcome, yield* restore(DateTime.now)))
            yield* Metric.update(Metric.withAttributes(attempts, { result: outcome._tag.toLowerCase() }), 1)
            return outcome._tag
          })
        )

      const attemptDue = Effect.fn("BackchannelLogouts.attemptDue")(function* (key: ClientKey, limit: number) {
        const now = yield* DateTime.now
        const leaseEnd = DateTime.addDuration(now, LEASE)
        // If the database fails, the claim may have been committed without this node knowing. So release it (C245).
        const releaseClaims = repo.releaseClaims(nodes.id, key, leaseEnd, now)
        const claimed = yield* outage.orOnceAvailable(
          repo.claim(nodes.id, key, now, leaseEnd, limit),
          Effect.as(outage.retryUntilAvailable(releaseClaims), [])
        )
        const outcomes = yield* Effect.forEach(claimed, (notice) => attemptOne(notice, now), {
          concurrency: "unbounded"
        })
        return { attempts: claimed.length, hasDelivered: outcomes.includes("Delivered") }
      })

      return BackchannelLogouts.of({ attemptDue })
    })
  )
}
