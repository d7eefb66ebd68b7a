import { Effect } from "effect"
import type { BadRequest, Invalid, NotFound } from "#api/Errors"
import { realmOfToken } from "#core/keys/TokenVerifier"
import type { Realms } from "#core/realms/Realms"
import { type Kind, kindOf } from "#domain/Ids"
import { isToken } from "#domain/OneTimeToken"
import type { Realm } from "#domain/Realm"
import { problem } from "#domain/Rejected"
import { badRequest, invalid, notFound } from "./Errors.ts"
import type { RealmNames } from "./RealmNames.ts"

/** What the path of an endpoint can name. */
export interface PathMeaning {
  /** The kind of resource that its id names. */
  readonly resource: string
  /** Whether a text that is no id is a name, which is only unique within a realm. */
  readonly isName: (text: string) => boolean
  /** Whether a login token is allowed in place of the id. */
  readonly takesToken: boolean
}

/**
 * The realm that a request states, or the one that its key is locked to; undefined where there is neither. `field`: what names it,
 * the path of a realm or a `realm_id`.
 */
export const resolveStatedRealm = Effect.fnUntraced(function* (
  realms: Realms["Service"],
  own: Realm | undefined,
  stated: RealmNames["stated"],
  field: "realm" | "realm_id" = "realm_id"
): Effect.fn.Return<Realm | undefined, BadRequest | NotFound> {
  const distinct = new Set(stated)
  if (distinct.size > 1) return yield* badRequest("contradicting_realm")
  const [id] = distinct
  if (id === undefined || id === own?.id) return own
  if (own !== undefined) return yield* notFound(field)
  return yield* realms.find(id).pipe(Effect.mapError(() => notFound(field)))
})

/** The kind of resource that a path parameter names by itself: by an id, or by a signup token. */
const kindIn = (path: string): Kind | undefined => kindOf(path) ?? (isToken("utk_", path) ? "signupToken" : undefined)

const resolveUnlocked = Effect.fnUntraced(function* (
  realms: Realms["Service"],
  names: RealmNames,
  { resource, isName, takesToken }: PathMeaning,
  header: string
): Effect.fn.Return<Realm, BadRequest | NotFound | Invalid> {
  // A realm id in the path wins over the other places.
  const inPath = resource === "realm" && names.path !== undefined ? [names.path] : undefined
  const named = yield* inPath === undefined
    ? resolveStatedRealm(realms, names.own, names.stated)
    : resolveStatedRealm(realms, names.own, inPath, "realm")
  if (named !== undefined) return named
  const kind = names.path === undefined ? undefined : kindIn(names.path)
  if (names.path !== undefined && kind !== undefined) {
    return (yield* realms.realmOf(kind, names.path)) ?? (yield* notFound(resource))
  }
  const ofToken = takesToken && names.path !== undefined ? realmOfToken(names.path) : undefined
  if (ofToken !== undefined) return yield* realms.find(ofToken).pipe(Effect.mapError(() => notFound(resource)))
  const inUpdate = yield* resolveStatedRealm(realms, names.own, names.readOnly)
  if (inUpdate !== undefined) return inUpdate
  if (names.path !== undefined && !isName(names.path)) return yield* notFound(resource)
  return yield* invalid([problem("realm_id", "blank", { query: "realm_id", body: "realm_id", header })])
})

/** The realm of a request that needs one: stated, or found by the id in its path. `header`: that which can name one. */
export const resolveRealm = (realms: Realms["Service"], names: RealmNames, path: PathMeaning, header: string) =>
  names.own !== undefined && names.stated.length === 0 && path.resource !== "realm"
    ? Effect.succeed(names.own)
    : resolveUnlocked(realms, names, path, header)
