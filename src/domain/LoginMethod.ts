import type { AuthenticationMethod } from "./Authentication.ts"
import { type ExternalType, externalTypes } from "./AuthProvider.ts"

/**
 * How a user logged in, as events and statistics name it: built-in methods, and external providers by their type. `external`
 * is a provider whose type is no longer known, because a second factor was added to an earlier login.
 */
export const loginMethods = [
  "password",
  "passkey",
  "email",
  "totp",
  "recovery_code",
  "api_key",
  ...externalTypes,
  "external"
] as const

export type LoginMethod = (typeof loginMethods)[number]

/** What the authentication methods of a login don't say. */
export interface LoginContext {
  readonly provider?: ExternalType | null | undefined
  /** Whether the code was a recovery code instead of an authenticator app's. */
  readonly isRecoveryCode?: boolean | undefined
}

/** Returns the methods of a login in the order they were used, without duplicates. */
export const loginMethodsOf = (
  methods: ReadonlyArray<AuthenticationMethod>,
  { provider, isRecoveryCode = false }: LoginContext
): ReadonlyArray<LoginMethod> => {
  const names: Readonly<Record<AuthenticationMethod, LoginMethod | undefined>> = {
    pwd: "password",
    otp: isRecoveryCode ? "recovery_code" : "totp",
    hwk: "passkey",
    swk: "passkey",
    uv: undefined,
    fed: provider ?? "external",
    email: "email"
  }
  return [...new Set(methods.map((method) => names[method]).filter((name) => name !== undefined))]
}
