import { hash } from "node:crypto"
import type { IncomingMessage } from "node:http"
import { query } from "./Database.ts"
import { HttpError } from "./HttpError.ts"
import { type JwtKeyRow, type SigningKey, signingKeyOf } from "./Tokens.ts"

/** Caches the result of a query for one second per key. */
const cachedForASecond = <A>(load: (key: string) => Promise<A>): ((key: string) => Promise<A>) => {
  const cache = new Map<string, { readonly until: number; readonly value: Promise<A> }>()
  return (key) => {
    const now = performance.now()
    const known = cache.get(key)
    if (known !== undefined && now < known.until) return known.value
    const value = load(key)
    cache.set(key, { until: now + 1_000, value })
    value.catch(() => cache.delete(key))
    return value
  }
}

interface KeyRow {
  readonly id: string
  readonly realm_id: string | null
  readonly level: string
  readonly expires_at: Date | null
  readonly last_used_at: Date | null
}

const apiKey = cachedForASecond(async (digest) => {
  const [row] = await query<KeyRow>("apiKey", [Buffer.from(digest, "base64")])
  if (row === undefined) throw new HttpError(401, null, "key_unknown", "The API key is not known.")
  return { row, touchedAt: row.last_used_at?.getTime() ?? 0 }
})

/** The realm settings that the routes need. */
export interface Realm {
  readonly id: string
  readonly jwt_fields: ReadonlyArray<string>
  readonly jwt_claims: string
  readonly session_type: string
  readonly session_minutes: number
}

const realmOf = cachedForASecond(async (id) => {
  const [row] = await query<Realm>("realm", [id])
  if (row === undefined) throw new HttpError(404, "realm", "not_found", "Realm could not be found.")
  if (row.jwt_fields.length > 0 || row.jwt_claims !== "v2" || row.session_type !== "managed") {
    throw new Error("The plain server supports only realms with v2's default settings.")
  }
  return row
})

/** The key that signs the tokens of a realm. */
export const signingKey: (realmId: string) => Promise<SigningKey> = cachedForASecond(async (realmId) => {
  const rows = await query<JwtKeyRow>("jwtKeys", [realmId])
  const keys = rows.map((row) => ({ row, key: signingKeyOf(row) }))
  const signing = keys.find(({ row }) => row.expired_at === null)
  if (signing === undefined) throw new Error(`Realm ${realmId} has no signing key.`)
  return signing.key
})

const levels = ["read", "write", "admin_realm", "admin_all_realms"]

/** Authorizes a request. The API key must be known, not expired, of the required level, and bound to the realm. */
export const authorize = async (request: IncomingMessage, level: "read" | "write"): Promise<Realm> => {
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1]
  if (bearer === undefined) throw new HttpError(401, null, "key_missing", "An API key is required.")
  const entry = await apiKey(hash("sha256", bearer, "base64"))
  const now = Date.now()
  const { id, realm_id, expires_at } = entry.row
  if (expires_at !== null && expires_at.getTime() <= now) {
    throw new HttpError(401, null, "key_unknown", "The API key is not known.")
  }
  if (now - entry.touchedAt >= 60_000) {
    entry.touchedAt = now
    void query("touchApiKey", [new Date(now), id])
  }
  if (levels.indexOf(entry.row.level) < levels.indexOf(level)) {
    throw new HttpError(403, null, "level_too_low", `This needs a key of level ${level}.`)
  }
  if (realm_id === null) throw new HttpError(422, "realm", "blank", "Realm can't be blank.")
  const named = request.headers["x-service-realm"]
  if (named !== undefined && named !== realm_id) {
    throw new HttpError(404, "realm", "not_found", "Realm could not be found.")
  }
  return realmOf(realm_id)
}
