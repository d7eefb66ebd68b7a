import { Context, DateTime, Effect, Layer } from "effect"
import {
  type AccessKind,
  type AccountChange,
  accountChanges,
  credentialsEndedBy,
  endsAccess,
  kindsEndedBy,
  purposesRevokedBy
} from "#domain/AccountAccess"
import type { SessionId } from "#domain/Ids"
import type { User } from "#domain/User"
import { WakeUps } from "#platform/WakeUps"
import { KnownBrowsersRepo } from "#store/login/KnownBrowsersRepo"
import { MailboxProofsRepo } from "#store/login/MailboxProofsRepo"
import { PasskeyChallengesRepo } from "#store/login/PasskeyChallengesRepo"
import { OAuthConsentsRepo } from "#store/oauth/OAuthConsentsRepo"
import { SessionsRepo } from "#store/sessions/SessionsRepo"
import { UsersRepo } from "#store/users/UsersRepo"
import { type NewEvent, sessionEvent } from "../events/NewEvent.ts"
import { OneTimeTokens } from "../tokens/OneTimeTokens.ts"
import { TrustedDevices } from "./TrustedDevices.ts"

/** The sessions that a password change does not end. */
export type KeptSessions = SessionId | "all" | undefined

/** The result of a change that ends access. */
export interface EndedAccess {
  /** Whether a credential was removed. */
  readonly hasLostCredential: boolean
  /** The events to record. */
  readonly events: ReadonlyArray<NewEvent>
}

/** The operations that end access. */
type Step = "credentials" | "sessions" | "consents" | "browsers" | "devices" | "tokens" | "challenges"

/** The operation that ends each kind of access. */
const stepOf: Readonly<Record<AccessKind, Step>> = {
  password: "credentials",
  api_keys: "credentials",
  passkeys: "credentials",
  authenticator_apps: "credentials",
  external_profiles: "credentials",
  sessions: "sessions",
  // The statement that ends the sessions also ends the grants, authorization codes and approved devices.
  oauth_grants: "sessions",
  oauth_consents: "consents",
  known_browsers: "browsers",
  trusted_devices: "devices",
  pending_logins: "tokens",
  password_resets: "tokens",
  email_verifications: "tokens",
  email_changes: "tokens",
  email_codes: "tokens",
  passkey_challenges: "challenges"
}

/**
 * Ends access to an account when the account changes. `domain/AccountAccess` lists which change ends which access (C262,
 * SEC-244).
 */
export class AccessEnds extends Context.Service<
  AccessEnds,
  {
    /**
     * Ends every kind of access that a change of the account must end. Call it inside the transaction that locks the user's
     * row. The caller itself writes the new password or state, or deletes the user.
     */
    end(user: User, change: AccountChange, kept?: KeptSessions): Effect.Effect<EndedAccess>
  }
>()("sallyport/core/AccessEnds") {
  static readonly layer = Layer.effect(
    AccessEnds,
    Effect.gen(function* () {
      const loginMethods = yield* MailboxProofsRepo
      const users = yield* UsersRepo
      const sessions = yield* SessionsRepo
      const consents = yield* OAuthConsentsRepo
      const browsers = yield* KnownBrowsersRepo
      const devices = yield* TrustedDevices
      const tokens = yield* OneTimeTokens
      const challenges = yield* PasskeyChallengesRepo
      const wakeUps = yield* WakeUps

      const nothingEnded: EndedAccess = { hasLostCredential: false, events: [] }

      const steps: Readonly<
        Record<Step, (user: User, change: AccountChange, kept: KeptSessions) => Effect.Effect<EndedAccess>>
      > = {
        credentials: Effect.fnUntraced(function* ({ realmId, id }, change) {
          const types = credentialsEndedBy(change).filter((type) => type !== "password")
          // The old password needs no step, because the new one replaces it.
          if (types.length === 0) return nothingEnded
          return {
            ...nothingEnded,
            hasLostCredential: yield* loginMethods.revokeLoginMethods(realmId, id, types, yield* DateTime.now)
          }
        }),
        sessions: Effect.fnUntraced(function* ({ realmId, id }, change, kept) {
          if (kept === "all") return nothingEnded
          const reason = accountChanges[change]
          const ended = yield* sessions.deleteOfUser(realmId, id, yield* DateTime.now, reason, kept)
          if (ended.needsBackchannelLogout) yield* wakeUps.wake("DeliverLogouts")
          return { ...nothingEnded, events: ended.ids.map((sessionId) => sessionEvent(id, sessionId, reason)) }
        }),
        consents: Effect.fnUntraced(function* ({ realmId, id: userId }, change) {
          const clients = yield* consents.deleteOfUser(realmId, userId)
          const isReported = change !== "deleted"
          return {
            ...nothingEnded,
            events: isReported
              ? clients.map((appId) => ({ eventType: "oauth.consent.revoked" as const, userId, appId }))
              : []
          }
        }),
        browsers: ({ realmId, id }) => Effect.as(browsers.deleteOfUser(realmId, id), nothingEnded),
        devices: Effect.fnUntraced(function* (user, change) {
          const events = yield* devices.end(user)
          return { ...nothingEnded, events: change === "deleted" ? [] : events }
        }),
        tokens: Effect.fnUntraced(function* (user, change) {
          yield* tokens.revoke(user, purposesRevokedBy(change))
          if (endsAccess(change, "email_changes")) yield* users.clearEmailPending(user)
          return nothingEnded
        }),
        challenges: ({ realmId, id }) => Effect.as(challenges.deleteOfUser(realmId, id), nothingEnded)
      }

      const end = Effect.fn("AccessEnds.end")(function* (user: User, change: AccountChange, kept?: KeptSessions) {
        const due = new Set(kindsEndedBy(change).map((kind) => stepOf[kind]))
        const ended = yield* Effect.forEach(due, (step) => steps[step](user, change, kept))
        return {
          hasLostCredential: ended.some(({ hasLostCredential }) => hasLostCredential),
          events: ended.flatMap(({ events }) => events)
        }
      })

      return AccessEnds.of({ end })
    })
  )
}
