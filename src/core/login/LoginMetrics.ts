import { Context, Effect, Exit, Layer, Metric } from "effect"
import { CurrentRealm } from "#domain/Realm"
import { RealmSizes } from "../upkeep/RealmSizes.ts"

const logins = Metric.counter("logins_total", {
  description: "Login attempts, by method and result.",
  incremental: true
})

/** The method with which a user logs in. */
export type LoginMethod = "password" | "second_factor" | "api_key" | "passkey" | "email_code" | "provider"

/** The values of the `result` label for failures. */
const results = {
  ApiKeyUnknown: "wrong",
  AuthProviderNotFound: "off",
  Blocked: "blocked",
  ExternalLoginRefused: "refused",
  HashingBusy: "overloaded",
  LoginsOff: "off",
  PasskeyRefused: "wrong",
  RealmNotFound: "off",
  Rejected: "invalid",
  StateNotFound: "expired",
  TokenNotFound: "expired",
  UserNotFound: "wrong",
  WrongCode: "wrong",
  WrongPassword: "wrong"
} as const

type Failure = { readonly _tag: keyof typeof results }

const resultOf = (exit: Exit.Exit<object, Failure>): string => {
  if (Exit.isSuccess(exit)) {
    const { value } = exit
    return "_tag" in value && value._tag === "MfaRequired" ? "second_factor_required" : "succeeded"
  }
  const reason = exit.cause.reasons.find(({ _tag }) => _tag === "Fail")
  return reason?._tag === "Fail" ? results[reason.error._tag] : "failed"
}

/** Counts logins in the metrics. No label names a realm. */
export class LoginMetrics extends Context.Service<
  LoginMetrics,
  {
    /** Runs a login and counts its outcome. */
    count(
      method: LoginMethod
    ): <A extends object, E extends Failure, R>(login: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R | CurrentRealm>
  }
>()("sallyport/core/LoginMetrics") {
  static readonly layer = Layer.effect(
    LoginMetrics,
    Effect.map(RealmSizes, (realms) =>
      LoginMetrics.of({
        count: (method) => {
          const counter = (result: string) => Metric.withAttributes(logins, { method, result })
          return (login) =>
            Effect.flatMap(CurrentRealm, ({ id }) =>
              Effect.onExit(login, (exit) => {
                const result = resultOf(exit)
                if (result === "succeeded") realms.count("logins", id)
                return Metric.update(counter(result), 1)
              })
            )
        }
      })
    )
  )
}
