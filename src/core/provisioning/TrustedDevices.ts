import { Context, DateTime, Effect, Layer } from "effect"
import type { CredentialDetails } from "#domain/Credential"
import { RequestOrigin } from "#domain/Event"
import type { UserId } from "#domain/Ids"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { endsTrust, PresentedDevices, type TrustedDevice, trustEnd, trustedSince } from "#domain/TrustedDevice"
import type { User } from "#domain/User"
import { Entropy } from "#platform/Entropy"
import { randomSecret, sha256Text } from "#platform/Tokens"
import { Transaction } from "#platform/Transaction"
import { TrustedDevicesRepo } from "#store/login/TrustedDevicesRepo"
import { Journal } from "../events/Journal.ts"
import type { NewEvent } from "../events/NewEvent.ts"

/** The maximum number of users for whom a browser is trusted. When it is exceeded, the oldest is dropped. */
const MAX_USERS = 4

const FORM = /^[0-9A-Za-z]{43}$/

/** The secrets for a browser's cookie, and its lifetime. */
export interface TrustedDeviceSecrets {
  readonly secrets: ReadonlyArray<string>
  readonly seconds: number
}

type OwnUser = Pick<User, "realmId" | "id">

const untrusted = (userId: UserId): NewEvent => ({ eventType: "user.device.untrusted", userId })

/**
 * Recognizes, by a cookie, browsers that users have trusted after a second factor. Password logins skip the second factor in
 * them, but a trusted device is never a factor itself (C310, SEC-296).
 */
export class TrustedDevices extends Context.Service<
  TrustedDevices,
  {
    /** Returns whether the user trusts the current browser. */
    isTrusted(userId: UserId): Effect.Effect<boolean, never, CurrentRealm>
    /**
     * Trusts the current browser for a user who has just presented a second factor, and gives it a new secret. Call it inside
     * the transaction that locks the user's row. Records `user.device.trusted`. Returns undefined if the realm has no trusted
     * devices.
     */
    trust(user: OwnUser): Effect.Effect<TrustedDeviceSecrets | undefined, RealmNotFound, CurrentRealm>
    /** The devices that the user trusts, newest first, each with the end of its trust. */
    list(user: OwnUser): Effect.Effect<ReadonlyArray<TrustedDevice>, never, CurrentRealm>
    /** Ends the trust in a device of the user. Records `user.device.untrusted` if there was such a device. */
    remove(user: OwnUser, id: string): Effect.Effect<void, RealmNotFound, CurrentRealm>
    /** Ends the trust in all devices of the user. Records `user.device.untrusted` if there was any. */
    removeAll(user: OwnUser): Effect.Effect<void, RealmNotFound, CurrentRealm>
    /** Ends the trust in all devices of the user. Call it inside a transaction. Returns the event to record, if any. */
    end(user: OwnUser): Effect.Effect<ReadonlyArray<NewEvent>>
    /** Like `end`, if the user's second factors have changed. */
    endAfter(
      user: OwnUser,
      credential: CredentialDetails,
      change: "added" | "removed"
    ): Effect.Effect<ReadonlyArray<NewEvent>>
  }
>()("sallyport/core/TrustedDevices") {
  static readonly layer = Layer.effect(
    TrustedDevices,
    Effect.gen(function* () {
      const entropy = yield* Entropy
      const repo = yield* TrustedDevicesRepo
      const journal = yield* Journal
      const transaction = yield* Transaction

      /** Finds the valid secrets of the current browser and their users, newest last. */
      const findPresented = Effect.fnUntraced(function* () {
        const { id: realmId, trustedDevicesDays: days } = yield* CurrentRealm
        const presented = yield* PresentedDevices
        const secrets = days === null ? [] : presented.filter((one) => FORM.test(one)).slice(-MAX_USERS)
        if (days === null || secrets.length === 0) return []
        const ids = secrets.map((secret) => ({ secret, id: sha256Text(secret) }))
        const now = yield* DateTime.now
        const period = { now, since: trustedSince(days, now) }
        const found = yield* repo.find(
          realmId,
          ids.map(({ id }) => id),
          period
        )
        return ids.flatMap(({ secret, id }) => {
          const userId = found.find((one) => one.id === id)?.userId
          return userId === undefined ? [] : [{ secret, id, userId }]
        })
      })

      const isTrusted = Effect.fnUntraced(function* (userId: UserId) {
        return (yield* findPresented()).some((one) => one.userId === userId)
      })

      const trust = Effect.fn("TrustedDevices.trust")(function* ({ realmId, id: userId }: OwnUser) {
        const { trustedDevicesDays: days } = yield* CurrentRealm
        if (days === null) return undefined
        const all = yield* findPresented()
        const { ip, client } = yield* RequestOrigin
        const secret = randomSecret(entropy)
        const createdAt = yield* DateTime.now
        const before = all.filter((one) => one.userId === userId).map(({ id }) => id)
        const isStored = yield* repo.replace(before, {
          id: sha256Text(secret),
          realmId,
          userId,
          requestIp: ip,
          requestClient: client,
          createdAt,
          expiresAt: DateTime.add(createdAt, { days })
        })
        if (!isStored) return undefined
        yield* journal.record([{ eventType: "user.device.trusted", userId }])
        const others = all.filter((one) => one.userId !== userId).map((one) => one.secret)
        return { secrets: [...others, secret].slice(-MAX_USERS), seconds: days * 86_400 }
      })

      const list = Effect.fn("TrustedDevices.list")(function* ({ realmId, id }: OwnUser) {
        const { trustedDevicesDays: days } = yield* CurrentRealm
        if (days === null) return []
        const now = yield* DateTime.now
        const devices = yield* repo.ofUser(realmId, id, { now, since: trustedSince(days, now) })
        return devices.map((device) => ({ ...device, expiresAt: trustEnd(device, days) }))
      })

      const remove = Effect.fn("TrustedDevices.remove")(function* ({ realmId, id: userId }: OwnUser, id: string) {
        yield* transaction.run(
          Effect.gen(function* () {
            if (yield* repo.delete(realmId, userId, id)) yield* journal.record([untrusted(userId)])
          })
        )
      })

      const end = ({ realmId, id }: OwnUser) =>
        Effect.map(repo.deleteOfUser(realmId, id), (hadAny) => (hadAny ? [untrusted(id)] : []))

      const removeAll = Effect.fn("TrustedDevices.removeAll")(function* (user: OwnUser) {
        yield* transaction.run(Effect.flatMap(end(user), journal.record))
      })

      return TrustedDevices.of({
        isTrusted,
        trust,
        list,
        remove,
        removeAll,
        end,
        endAfter: (user, credential, change) => (endsTrust(credential, change) ? end(user) : Effect.succeed([]))
      })
    })
  )
}
