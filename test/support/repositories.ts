import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Id, isId, type Kind } from "#domain/Ids"
import { Entropy } from "#platform/Entropy"
import { LoginDomains } from "#platform/LoginDomains"
import { Secrets } from "#platform/Secrets"
import { DatabaseCheck, HealthSql, SlowSql } from "#platform/Transaction"
import { Repositories } from "#server/layers/Store"

/** A call of a repository. */
export type RepositoryCall = Effect.Effect<unknown, never, Layer.Success<typeof Repositories>>

/** The repositories on one client of a service's database. */
export const repositoriesOn = (sql: SqlClient) =>
  Repositories.pipe(
    Layer.provide(
      Layer.mergeAll(
        Layer.succeed(SqlClient, sql),
        Layer.succeed(SlowSql, sql),
        Layer.succeed(HealthSql, sql),
        Layer.succeed(DatabaseCheck, Effect.succeed(true))
      )
    ),
    Layer.provide(Secrets.layer([Redacted.make("test-secret-of-more-than-32-characters")])),
    Layer.provide(LoginDomains.layer({ publicUrl: "http://localhost", loginDomain: "localhost", region: "local" })),
    Layer.provide(Entropy.layer)
  )

/** Converts an ID from a response. */
export const idOf = <K extends Kind>(kind: K, text: string): Id<K> => {
  if (isId(kind, text)) return text
  throw new Error(`${text} is not an id of kind ${kind}`)
}

/** Secrets for rows that were never encrypted. */
export const unsealed = Layer.succeed(
  Secrets,
  Secrets.of({
    encrypt: (_, plaintext) => Effect.succeed(plaintext),
    decrypt: (_, sealed) => Effect.succeed(sealed),
    missingKeys: Effect.succeed([]),
    setLostKeys: () => {},
    retainMissingKeys: () => {},
    keyIds: [],
    currentKeyId: "",
    setKeys: () => {},
    setSharedKeys: () => {},
    setReload: () => {},
    currentPrefix: "",
    olderPrefixes: []
  })
)
