import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Logo, type LogoFile, logoMembers } from "#domain/Appearance"
import type { ConnectedApp } from "#domain/ConnectedApp"

type AppWithLogos = Pick<ConnectedApp, "realmId" | "id" | "appearance">

/** Stores the logos of connected apps. They have their own table (`app_logos`), so that loading an app doesn't load its logo. */
export class AppLogosRepo extends Context.Service<
  AppLogosRepo,
  {
    find(app: AppWithLogos, file: LogoFile): Effect.Effect<Uint8Array | undefined>
    /** Adds a logo unless the app already has it. */
    insert(app: AppWithLogos, logo: Logo): Effect.Effect<void>
    /** Deletes the logos that the app no longer uses. */
    deleteUnused(app: AppWithLogos): Effect.Effect<void>
  }
>()("sallyport/store/AppLogosRepo") {
  static readonly layer = Layer.effect(
    AppLogosRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      return AppLogosRepo.of({
        find: ({ realmId, id }, file) =>
          sql<{ readonly content: Uint8Array }>`select content from app_logos
            where realm_id = ${realmId} and login_policy_id = ${id} and file = ${file}`.pipe(
            Effect.map(([row]) => row?.content),
            Effect.orDie
          ),
        insert: ({ realmId, id }, { file, bytes }) => {
          const row = { realm_id: realmId, login_policy_id: id, file, content: bytes }
          return sql`insert into app_logos ${sql.insert(row)} on conflict (realm_id, login_policy_id, file) do nothing`.pipe(
            Effect.asVoid,
            Effect.orDie
          )
        },
        deleteUnused: ({ realmId, id, appearance }) => {
          const used = logoMembers.flatMap((member) => appearance[member] ?? [])
          return sql`delete from app_logos where realm_id = ${realmId} and login_policy_id = ${id}
            and file <> all(${used}::text[])`.pipe(Effect.asVoid, Effect.orDie)
        }
      })
    })
  )
}
