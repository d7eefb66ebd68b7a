import { Context, DateTime, Effect, Layer } from "effect"
import { type CredentialDetails, CredentialNotFound } from "#domain/Credential"
import type { Blocked, WrongCode } from "#domain/Login"
import type { Org } from "#domain/Org"
import type { HashingBusy } from "#domain/Password"
import type { PasswordRequirements } from "#domain/PasswordPolicy"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { type Rejected, rejection } from "#domain/Rejected"
import type { SessionNotFound } from "#domain/Session"
import { isStorable, isWithin, nonBlank, TEXT_LENGTH } from "#domain/Text"
import type { User } from "#domain/User"
import { MembershipsRepo } from "#store/orgs/MembershipsRepo"
import { AuthProvidersRepo } from "#store/realms/AuthProvidersRepo"
import { AccountsRepo } from "#store/users/AccountsRepo"
import { CredentialsRepo } from "#store/users/CredentialsRepo"
import { CodeVerifier } from "../credentials/CodeVerifier.ts"
import { Credentials } from "../credentials/Credentials.ts"
import { NewPasswords } from "../provisioning/NewPasswords.ts"
import { BrowserSessions, type LoggedInVisitor } from "../sessions/BrowserSessions.ts"
import { provisioningSvg, provisioningUri } from "../tokens/Totp.ts"
import { SignInMethods } from "./SignInMethods.ts"

/** The login methods of an account, as shown to its owner. */
export interface AccountOverview {
  readonly hasPassword: boolean
  /** Whether passwords are enabled in the realm. */
  readonly passwordsEnabled: boolean
  readonly passwordRequirements: PasswordRequirements
  /** Whether the realm supports TOTP as a second factor. */
  readonly supportsTotp: boolean
  /** The active TOTP devices. */
  readonly devices: ReadonlyArray<{ readonly id: string; readonly name: string }>
}

/** A TOTP device that is not active yet. */
export interface NewDevice {
  readonly id: string
  readonly name: string
  /** The QR code for an authenticator app. Users can enter `secret` instead. */
  readonly svg: string
  readonly secret: string
}

/** Lets users view and change their own account settings, on the hosted pages. */
export class AccountSettings extends Context.Service<
  AccountSettings,
  {
    overview(user: User): Effect.Effect<AccountOverview, never, CurrentRealm>
    /** The active orgs of which a user is a member. */
    orgs(user: User): Effect.Effect<ReadonlyArray<Org>, never, CurrentRealm>
    /** Creates a device that is not active yet. Records `user.updated`. */
    addDevice(user: User, name: string): Effect.Effect<NewDevice, Rejected | RealmNotFound | HashingBusy, CurrentRealm>
    /** A device of the user that is not active yet. */
    newDevice(user: User, id: string): Effect.Effect<NewDevice, CredentialNotFound, CurrentRealm>
    /**
     * Activates a new device with one of its codes, if the browser is still logged in (SEC-143). Records
     * `user.updated`.
     */
    activate(
      visitor: LoggedInVisitor,
      id: string,
      code: string
    ): Effect.Effect<
      void,
      CredentialNotFound | SessionNotFound | Rejected | WrongCode | Blocked | RealmNotFound,
      CurrentRealm
    >
    /** Removes a device. Requires a code of any of the user's devices, or a recovery code. Records `user.updated`. */
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
      const methods = yield* SignInMethods
      const codeVerifier = yield* CodeVerifier
      const repo = yield* CredentialsRepo
      const newPasswords = yield* NewPasswords
      const accounts = yield* AccountsRepo
      const providers = yield* AuthProvidersRepo
      const browsers = yield* BrowserSessions
      const memberships = yield* MembershipsRepo

      const overview = Effect.fn("AccountSettings.overview")(function* (user: User) {
        const realm = yield* CurrentRealm
        const account = yield* accounts.find(realm.id, user.id)
        const totp = yield* providers.stateOf(realm.id, "totp")
        const devices = yield* repo.activeTotps(realm.id, user.id)
        return {
          hasPassword: account?.passwordHash !== undefined && account.passwordsEnabled,
          passwordsEnabled: account?.passwordsEnabled === true,
          passwordRequirements: yield* newPasswords.requirements(user),
          supportsTotp: totp?.state === "active",
          devices: devices.map(({ id, name }) => ({ id, name: name ?? "" }))
        }
      })

      const orgs = Effect.fn("AccountSettings.orgs")(function* (user: User) {
        const realm = yield* CurrentRealm
        const found = yield* memberships.ofUser(realm.id, user.id, yield* DateTime.now)
        return found.flatMap(({ org }) => (org === null ? [] : [org]))
      })

      /** The TOTP device with this ID, if it belongs to the user. */
      const findOwn = Effect.fnUntraced(function* (user: User, id: string) {
        const { credential } = yield* credentials.get(id)
        const isOwn = credential.userId === user.id && credential.credentialType === "totp"
        return isOwn ? credential : yield* new CredentialNotFound({ id })
      })

      const describeNew = Effect.fnUntraced(function* (user: User, { id, name, secret, state }: CredentialDetails) {
        const realm = yield* CurrentRealm
        if (secret === null || state !== "new") return yield* new CredentialNotFound({ id })
        const uri = provisioningUri(secret, realm.name, user.email ?? user.username ?? user.name)
        return { id, name: name ?? "", secret, svg: provisioningSvg(uri) }
      })

      const addDevice = Effect.fn("AccountSettings.addDevice")(function* (user: User, input: string) {
        const realm = yield* CurrentRealm
        const totp = yield* providers.stateOf(realm.id, "totp")
        const name = nonBlank(input)?.trim()
        if (name === undefined) return yield* rejection("device_name", "blank")
        if (!isStorable(name)) return yield* rejection("device_name", "invalid")
        if (!isWithin(TEXT_LENGTH, name)) return yield* rejection("device_name", "too_long", { maximum: TEXT_LENGTH })
        if (totp?.state !== "active") return yield* rejection("device_name", "provider_inactive")
        const { credential } = yield* credentials.create({ userId: user.id, credentialType: "totp", name })
        return yield* Effect.orDie(describeNew(user, credential))
      })

      const activate = Effect.fn("AccountSettings.activate")(function* (
        { user, login }: LoggedInVisitor,
        id: string,
        code: string
      ) {
        const { id: device } = yield* findOwn(user, id)
        yield* credentials.verify(device, code, browsers.requireLogin(login))
      })

      // Accepts a code of any of the user's devices, or a recovery code, so that a lost device can be removed.
      const removeDevice = Effect.fn("AccountSettings.removeDevice")(function* (user: User, id: string, code: string) {
        const { id: device } = yield* findOwn(user, id)
        const devices = yield* repo.activeTotps(user.realmId, user.id)
        yield* codeVerifier
          .redeem({ user, code, devices, acceptsRecoveryCode: true, failureEvents: [] }, () =>
            methods.remove(user, device, (type) => type === "totp")
          )
          .pipe(Effect.catchTag("UserNotFound", () => new CredentialNotFound({ id })))
      })

      return AccountSettings.of({
        overview,
        orgs,
        addDevice,
        newDevice: (user, id) => Effect.flatMap(findOwn(user, id), (device) => describeNew(user, device)),
        activate,
        removeDevice
      })
    })
  )
}
