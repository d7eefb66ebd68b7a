/** Columns that name a row of a table with `realm_id` and `id`. */
const byId = ["realm_id", "id"] as const

/**
 * Every column that holds sealed secrets, and the columns that name its rows. A secret can be sealed for no other place:
 * the compiler holds `Place` to this list, so that rotating the encryption key misses none.
 */
export const encryptedColumns = [
  { table: "api_key_peppers", column: "secret", key: byId },
  { table: "app_hooks", column: "previous_secret", key: byId },
  { table: "app_hooks", column: "secret", key: byId },
  { table: "auth_providers", column: "client_secret", key: byId },
  { table: "credentials", column: "secret", key: byId },
  { table: "idempotent_requests", column: "answer", key: ["api_key_id", "key_digest"] },
  { table: "invitations", column: "token", key: byId },
  { table: "jwt_keys", column: "secret", key: byId },
  { table: "mails", column: "content", key: byId },
  { table: "oauth_states", column: "secret", key: byId },
  { table: "one_time_tokens", column: "secret", key: byId }
] as const

/** A column of sealed texts. */
export type EncryptedColumn = (typeof encryptedColumns)[number]

/** Where a secret is kept. It opens in no other place (SEC-47). */
export type Place = EncryptedColumn extends infer Column
  ? Column extends EncryptedColumn
    ? Pick<Column, "table" | "column"> & { readonly row: string; readonly realm: string | null }
    : never
  : never

/** Where the stored answer of an idempotent request is: it belongs to an API key, and to no realm. */
export const answerPlace = (apiKeyId: string, keyDigest: Uint8Array): Place => ({
  table: "idempotent_requests",
  column: "answer",
  row: `${apiKeyId} ${Buffer.from(keyDigest).toString("hex")}`,
  realm: null
})
