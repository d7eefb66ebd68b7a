/** The key columns of tables that are keyed by `realm_id` and `id`. */
const byId = ["realm_id", "id"] as const

/**
 * All encrypted columns, with the columns that identify their rows. The type `SecretLocation` ensures that secrets can be
 * encrypted only for these locations, so key rotation misses none.
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

/** A column that stores encrypted values. */
export type EncryptedColumn = (typeof encryptedColumns)[number]

/** The location of a secret. Its ciphertext can't be decrypted in any other location (SEC-47). */
export type SecretLocation = EncryptedColumn extends infer Column
  ? Column extends EncryptedColumn
    ? Pick<Column, "table" | "column"> & { readonly row: string; readonly realm: string | null }
    : never
  : never

/** The location of an idempotent request's stored response. It belongs to an API key instead of a realm. */
export const storedResponseLocation = (apiKeyId: string, keyDigest: Uint8Array): SecretLocation => ({
  table: "idempotent_requests",
  column: "answer",
  row: `${apiKeyId} ${Buffer.from(keyDigest).toString("hex")}`,
  realm: null
})
