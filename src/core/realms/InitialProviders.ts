import { Effect } from "effect"
import type { EmailCodeProvider, PasskeyProvider, PasswordProvider, TotpProvider } from "#domain/AuthProvider"
import { defaultPasskeyRules } from "#domain/Passkey"
import { defaultPolicy } from "#domain/PasswordPolicy"
import type { Realm } from "#domain/Realm"
import { IdGenerator } from "#platform/IdGenerator"

/** Makes the providers of a new realm, in order (C18). */
export const initialProviders = Effect.fnUntraced(function* (realm: Pick<Realm, "id" | "createdAt">) {
  const ids = yield* IdGenerator
  const common = { realmId: realm.id, state: "active", createdAt: realm.createdAt } as const
  const password: PasswordProvider = {
    ...common,
    id: yield* ids.make("authProvider"),
    providerType: "password",
    ...defaultPolicy
  }
  const totp: TotpProvider = { ...common, id: yield* ids.make("authProvider"), providerType: "totp" }
  const passkey: PasskeyProvider = {
    ...common,
    id: yield* ids.make("authProvider"),
    providerType: "passkey",
    ...defaultPasskeyRules
  }
  const emailCode: EmailCodeProvider = {
    ...common,
    state: "inactive",
    id: yield* ids.make("authProvider"),
    providerType: "email_code",
    secondFactor: false
  }
  return [password, totp, passkey, emailCode]
})
