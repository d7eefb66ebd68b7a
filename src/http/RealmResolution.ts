import { Effect } from "effect"
import type { BadRequest, Invalid, NotFound } from "#api/Errors"
import { realmOfToken } from "#core/keys/LoginTokenVerifier"
import type { Realms } from "#core/realms/Realms"
import { type Kind, kindOf } from "#domain/Ids"
import { isToken } from "#domain/OneTimeToken"
import type { Realm } from "#domain/Realm"
import { problem } from "#domain/Rejected"
import { badRequest, invalid, notFound } from "./Errors.ts"
import type { RealmNames } from "./RealmNames.ts"

/** Describes the parameter in an endpoint's path. */
export interface PathParameter {
  /** The kind of resource that the parameter's ID identifies. */
  readonly resource: string
  /** Returns whether a parameter that is not an ID is a name. Names are unique only within a realm. */
  readonly isName: (text: string) => boolean
  /** Whether a login token is accepted instead of the ID. */
  readonly acceptsToken: boolean
}

/**
 * Returns the realm that a request states, or the realm that its API key is locked to, or undefined if there is neither.
 * `field` is the member that names it: the path of a realm, or `realm_id`.
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

/** Returns the kind of a path parameter that is unique across realms (an ID or a signup token). */
const kindIn = (path: string): Kind | undefined => kindOf(path) ?? (isToken("utk_", path) ? "signupToken" : undefined)

const resolveUnlocked = Effect.fnUntraced(function* (
  realms: Realms["Service"],
  names: RealmNames,
  { resource, isName, acceptsToken }: PathParameter,
  header: string
): Effect.fn.Return<Realm, BadRequest | NotFound | Invalid> {
  // A realm ID in the path takes precedence over all other places.
  const inPath = resource === "realm" && names.path !== undefined ? [names.path] : undefined
  const named = yield* inPath === undefined
    ? resolveStatedRealm(realms, names.own, names.stated)
    : resolveStatedRealm(realms, names.own, inPath, "realm")
  if (named !== undefined) return named
  const kind = names.path === undefined ? undefined : kindIn(names.path)
  if (names.path !== undefined && kind !== undefined) {
    return (yield* realms.realmOf(kind, names.path)) ?? (yield* notFound(resource))
  }
  const ofToken = acceptsToken && names.path !== undefined ? realmOfToken(names.path) : undefined
  if (ofToken !== undefined) return yield* realms.find(ofToken).pipe(Effect.mapError(() => notFound(resource)))
  const inUpdate = yield* resolveStatedRealm(realms, names.own, names.readOnly)
  if (inUpdate !== undefined) return inUpdate
  if (names.path !== undefined && !isName(names.path)) return yield* notFound(resource)
  return yield* invalid([problem("realm_id", "blank", { query: "realm_id", body: "realm_id", header })])
})

/**
 * Returns the realm of a request that requires one: the stated realm, or the realm of the ID in the path. `header` is the name
 * of the realm header, for messages.
 */
export const resolveRealm = (realms: Realms["Service"], names: RealmNames, path: PathParameter, header: string) =>
  names.own !== undefined && names.stated.length === 0 && path.resource !== "realm"
    ? Effect.succeed(names.own)
    : resolveUnlocked(realms, names, path, header)
