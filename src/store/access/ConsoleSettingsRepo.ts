import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SYSTEM } from "#domain/Ids"

/** Stores the settings of the console. */
export class ConsoleSettingsRepo extends Context.Service<
  ConsoleSettingsRepo,
  {
    /** Whether API keys may log in to the console. True unless an owner has turned it off. */
    readonly allowsApiKeys: Effect.Effect<boolean>
    setAllowsApiKeys(allows: boolean): Effect.Effect<void>
  }
>()("sallyport/store/ConsoleSettingsRepo") {
  static readonly layer = Layer.effect(
    ConsoleSettingsRepo,
    Effect.map(SqlClient, (sql) =>
      ConsoleSettingsRepo.of({
        allowsApiKeys: sql<{ readonly api_keys: boolean }>`select api_keys from console_settings
          where realm_id = ${SYSTEM}`.pipe(
          Effect.map(([row]) => row?.api_keys ?? true),
          Effect.orDie
        ),
        setAllowsApiKeys: (allows) =>
          sql`insert into console_settings (realm_id, api_keys) values (${SYSTEM}, ${allows})
            on conflict (realm_id) do update set api_keys = excluded.api_keys`.pipe(Effect.asVoid, Effect.orDie)
      })
    )
  )
}
