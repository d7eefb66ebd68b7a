import { Context, Effect, Layer } from "effect"
import { Caller } from "#domain/Caller"
import { ACCOUNT } from "#domain/Ids"
import { type Rejected, rejection } from "#domain/Rejected"
import { Transaction } from "#platform/Transaction"
import { ConsoleSettingsRepo } from "#store/access/ConsoleSettingsRepo"
import { Journal } from "../events/Journal.ts"
import { SystemRealm } from "../realms/SystemRealm.ts"

/** The settings of the console that owners can change (C304). */
export class ConsoleSettings extends Context.Service<
  ConsoleSettings,
  {
    /** Whether API keys may log in to the console. */
    readonly allowsKeys: Effect.Effect<boolean>
    /**
     * Changes whether API keys may log in, and returns the setting. Records `console.updated` if it differs. Only an operator
     * can turn keys off, so that someone can still log in. The deployment can forbid keys altogether.
     */
    setAllowsKeys(allows: boolean): Effect.Effect<boolean, Rejected, Caller>
  }
>()("sallyport/core/ConsoleSettings") {
  /** `consoleKeys` is whether the deployment allows API keys to log in. */
  static readonly layer = ({ consoleKeys }: { readonly consoleKeys: boolean }) =>
    Layer.effect(
      ConsoleSettings,
      Effect.gen(function* () {
        const repo = yield* ConsoleSettingsRepo
        const system = yield* SystemRealm
        const journal = yield* Journal
        const transaction = yield* Transaction
        const allowsKeys = consoleKeys ? repo.allowsApiKeys : Effect.succeed(false)

        const setAllowsKeys = Effect.fn("ConsoleSettings.setAllowsKeys")(function* (allows: boolean) {
          const { by } = yield* Caller
          if (allows && !consoleKeys) return yield* rejection("api_keys", "console_keys_off")
          if (!allows && by.type === "api_key") return yield* rejection("api_keys", "operators_only")
          yield* system.ensure
          return yield* transaction.run(
            Effect.gen(function* () {
              if ((yield* repo.allowsApiKeys) !== allows) {
                yield* repo.setAllowsApiKeys(allows)
                const event = { eventType: "console.updated" as const, changed: ["api_keys"] }
                yield* Effect.orDie(journal.recordIn(ACCOUNT, [event]))
              }
              return allows
            })
          )
        })

        return ConsoleSettings.of({ allowsKeys, setAllowsKeys })
      })
    )
}
