import { verify } from "@node-rs/argon2"
import { type Realm, signingKey } from "./Access.ts"
import { type Members, type Origin, textOf } from "./Body.ts"
import type { UserRow } from "./Database.ts"
import { HttpError } from "./HttpError.ts"
import { freshId, isId } from "./Ids.ts"
import { newSession, sessionBody } from "./SessionBody.ts"
import { query } from "./Statements.ts"
import { claimsOf } from "./Tokens.ts"

const wrongPassword = () => new HttpError(422, "password", "invalid", "Password is not valid.")

/** The last requested hash. Hashes are computed one at a time, as in the service on one core. */
let lastHash: Promise<unknown> = Promise.resolve()

const matches = (hash: string, password: string): Promise<boolean> => {
  const matching = lastHash.then(() => verify(hash, password))
  lastHash = matching.catch(() => undefined)
  return matching
}

/**
 * Logs in with a password, in two statements. The first counts the attempt. The second resets the count, and stores the
 * session, the time and the event.
 */
export const logIn = async (realm: Realm, id: string, wrapped: Members, origin: Origin) => {
  const password = textOf(wrapped, "password") ?? ""
  const [counted] = isId("usr_", id)
    ? await query<{ readonly password_hash: string | null }>("countAttempt", [realm.id, id])
    : []
  const hash = counted?.password_hash ?? null
  if (hash === null || !(await matches(hash, password))) throw wrongPassword()
  const now = Date.now()
  const sessionId = freshId("kss_")
  const session = newSession(realm, origin, now)
  const { session_created_at: createdAt, session_expires_at: expiresAt } = session
  const started = [realm.id, sessionId, id, origin.ip, origin.client, createdAt, expiresAt]
  const [user] = await query<UserRow>("logIn", [...started, hash, freshId("ev_")])
  if (user === undefined) throw wrongPassword()
  const sign = await signingKey(realm.id)
  return sessionBody(sessionId, session, user, sign(claimsOf(sessionId, user, now, expiresAt)))
}
