import { Context, DateTime, Effect, Layer } from "effect"
import { type CredentialDetails, CredentialNotFound } from "#domain/Credential"
import type { Blocked, WrongCode } from "#domain/Login"
import type { Org } from "#domain/Org"
import type { HashingBusy } from "#domain/Password"
import type { PasswordRequirements } from "#domain/PasswordPolicy"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { isRecentProof, LoginStale } from "#domain/Reauthentication"
import { type Rejected, rejected } from "#domain/Rejected"
import { isStorable, isWithin, presence, TEXT_LENGTH } from "#domain/Text"
import type { User } from "#domain/User"
import { AccountsRepo } from "#store/AccountsRepo"
import { AuthProvidersRepo } from "#store/AuthProvidersRepo"
import { CredentialsRepo } from "#store/CredentialsRepo"
import { MembershipsRepo } from "#store/MembershipsRepo"
import { Credentials } from "../credentials/Credentials.ts"
import { PasswordChecks, presentable } from "../credentials/PasswordChecks.ts"
import { TotpVerifier } from "../credentials/TotpVerifier.ts"
import { PasswordHasher } from "../passwords/PasswordHasher.ts"
import { NewPasswords } from "../provisioning/NewPasswords.ts"
import { provisioningSvg, provisioningUri } from "../tokens/Totp.ts"

/** An account as its owner sees it. */
export interface SeenAccount {
  readonly hasPassword: boolean
  readonly demands: PasswordRequirements
  /** Whether the realm takes codes of a second step. */
  readonly secondStep: boolean
  /** The devices that make such codes. */
  readonly devices: ReadonlyArray<{ readonly id: string; readonly name: string }>
}

/** Somebody who is logged in, and when they proved who they are. */
export interface Proved {
  readonly user: User
  readonly provedAt: DateTime.Utc
}

/** A device that is being set up. */
export interface NewDevice {
  readonly id: string
  readonly name: string
  /** What an authenticator app reads, and what can be typed instead of it. */
  readonly svg: string
  readonly secret: string
}

/** What people see and do about their own accounts, on the hosted pages. */
export class AccountSettings extends Context.Service<
  AccountSettings,
  {
    look(user: User): Effect.Effect<SeenAccount, never, CurrentRealm>
    /**
     * Demands the password before what decides who gets in is changed: whoever finds a browser logged in doesn't know it.
     * Of those who have none, a login of the last minutes. Whether it was the password that proved it.
     */
    prove(
      who: Proved,
      password: string
    ): Effect.Effect<boolean, Rejected | Blocked | HashingBusy | RealmNotFound | LoginStale, CurrentRealm>
    /** Demands a proof of the last minutes. */
    recent(who: Proved): Effect.Effect<void, LoginStale>
    /** The active orgs that somebody belongs to. */
    orgs(user: User): Effect.Effect<ReadonlyArray<Org>, never, CurrentRealm>
    /** Begins to set a device up: `user.updated`. */
    addDevice(user: User, name: string): Effect.Effect<NewDevice, Rejected | RealmNotFound | HashingBusy, CurrentRealm>
    /** A device that is being set up. */
    newDevice(user: User, id: string): Effect.Effect<NewDevice, CredentialNotFound, CurrentRealm>
    /** Puts a new device to use, by a code of it: `user.updated`. */
    activate(
      user: User,
      id: string,
      code: string
    ): Effect.Effect<void, CredentialNotFound | Rejected | WrongCode | Blocked | RealmNotFound, CurrentRealm>
    /** Takes a device away, by a code of it or of another one of the user's: `user.updated`. */
    removeDevice(
      user: User,
      id: string,
      code: string
    ): Effect.Effect<void, CredentialNotFound | Rejected | WrongCode | Blocked | RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/AccountSettings") {
  static readonly layer = Layer.effect(
    AccountSettings,
    Effect.gen(function* () {
      const credentials = yield* Credentials
      const codes = yield* TotpVerifier
      const repo = yield* CredentialsRepo
      const newPasswords = yield* NewPasswords
      const accounts = yield* AccountsRepo
      const hasher = yield* PasswordHasher
      const checks = yield* PasswordChecks
      const providers = yield* AuthProvidersRepo
      const memberships = yield* MembershipsRepo

      const look = Effect.fn("AccountSettings.look")(function* (user: User) {
        const realm = yield* CurrentRealm
        const account = yield* accounts.find(realm.id, user.id)
        const totp = yield* providers.stateOf(realm.id, "totp")
        const devices = yield* repo.activeTotps(realm.id, user.id)
        return {
          hasPassword: account?.passwordHash !== undefined && account.passwordsEnabled,
          demands: yield* newPasswords.requirements(user),
          secondStep: totp?.state === "active",
          devices: devices.map(({ id, name }) => ({ id, name: name ?? "" }))
        }
      })

      const recent = Effect.fnUntraced(function* ({ provedAt }: Proved) {
        if (!isRecentProof(provedAt, yield* DateTime.now)) return yield* new LoginStale()
      })

      const prove = Effect.fn("AccountSettings.prove")(function* (who: Proved, password: string) {
        const realm = yield* CurrentRealm
        const account = yield* accounts.find(realm.id, who.user.id)
        // Nobody logs in by it where hasher are off, nor by one that a takeover has locked.
        if (account?.passwordHash === undefined || !account.passwordsEnabled)
          return yield* Effect.as(recent(who), false)
        const mismatch = () => Effect.fail(rejected("current_password", "wrong_current_password"))
        const given = yield* presentable("current_password", password)
        if (given === "") return yield* rejected("current_password", "blank")
        yield* hasher
          .withHashing((hashing) => checks.check(hashing, account, given, []))
          .pipe(Effect.catchTag(["WrongPassword", "UserNotFound"], mismatch))
        return true
      })

      const orgs = Effect.fn("AccountSettings.orgs")(function* (user: User) {
        const realm = yield* CurrentRealm
        const found = yield* memberships.ofUser(realm.id, user.id, yield* DateTime.now)
        return found.flatMap(({ org }) => (org === null ? [] : [org]))
      })

      /** A device of the user's own, and no other credential. */
      const own = Effect.fnUntraced(function* (user: User, id: string) {
        const { credential } = yield* credentials.get(id)
        const theirs = credential.userId === user.id && credential.credentialType === "totp"
        return theirs ? credential : yield* new CredentialNotFound({ id })
      })

      const shown = Effect.fnUntraced(function* (user: User, { id, name, secret, state }: CredentialDetails) {
        const realm = yield* CurrentRealm
        if (secret === null || state !== "new") return yield* new CredentialNotFound({ id })
        const uri = provisioningUri(secret, realm.name, user.email ?? user.username ?? user.name)
        return { id, name: name ?? "", secret, svg: provisioningSvg(uri) }
      })

      const addDevice = Effect.fn("AccountSettings.addDevice")(function* (user: User, typed: string) {
        const realm = yield* CurrentRealm
        const totp = yield* providers.stateOf(realm.id, "totp")
        const name = presence(typed)?.trim()
        if (name === undefined) return yield* rejected("device_name", "blank")
        if (!isStorable(name)) return yield* rejected("device_name", "invalid")
        if (!isWithin(TEXT_LENGTH, name)) return yield* rejected("device_name", "too_long", { maximum: TEXT_LENGTH })
        if (totp?.state !== "active") return yield* rejected("device_name", "provider_inactive")
        const { credential } = yield* credentials.create({ userId: user.id, credentialType: "totp", name })
        return yield* Effect.orDie(shown(user, credential))
      })

      const activate = Effect.fn("AccountSettings.activate")(function* (user: User, id: string, code: string) {
        const { id: device } = yield* own(user, id)
        yield* credentials.verify(device, code)
      })

      /** The code may be of any of the user's devices: who has lost one still gets rid of it. */
      const removeDevice = Effect.fn("AccountSettings.removeDevice")(function* (user: User, id: string, code: string) {
        const { id: device } = yield* own(user, id)
        const devices = yield* repo.activeTotps(user.realmId, user.id)
        yield* codes
          .redeem({ user, code, devices, failed: [] }, () => credentials.delete(device))
          .pipe(Effect.catchTag("UserNotFound", () => new CredentialNotFound({ id })))
      })

      return AccountSettings.of({
        look,
        prove,
        recent,
        orgs,
        addDevice,
        newDevice: (user, id) => Effect.flatMap(own(user, id), (device) => shown(user, device)),
        activate,
        removeDevice
      })
    })
  )
}
