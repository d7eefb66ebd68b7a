import { Effect } from "effect"
import type { BadRequest, Invalid, NotFound } from "#api/Errors"
import { realmOfToken } from "#core/keys/TokenVerifier"
import type { Realms } from "#core/realms/Realms"
import { type Kind, kindOf } from "#domain/Ids"
import { isToken } from "#domain/OneTimeToken"
import type { Realm } from "#domain/Realm"
import { problem } from "#domain/Rejected"
import { badRequest, invalid, notFound } from "./Errors.ts"

/** Everything in a call that can name its realm (decision 4). */
export interface RealmNames {
  /** The realm that the caller's key is locked to. */
  readonly own: Realm | undefined
  /** The path's one parameter. */
  readonly path: string | undefined
  /** What query, header and body say: all the same, or the call contradicts itself. */
  readonly stated: ReadonlyArray<string>
  /** `realm_id` in the body of an update is read-only: it names a realm only where nothing else does (decision 8). */
  readonly readOnly: string | undefined
}

/** What an endpoint's path stands for. */
export interface PathTerms {
  /** What the id in it names. */
  readonly resource: string
  /** Whether a text that is no id is a name, which makes sense in a realm only. */
  readonly isName: (text: string) => boolean
  /** Whether a login token may stand for the id. */
  readonly takesToken: boolean
}

/** The realm a call states, or the caller's own; undefined when it states none. */
export const statedRealm = Effect.fnUntraced(function* (
  realms: Realms["Service"],
  own: Realm | undefined,
  stated: RealmNames["stated"]
): Effect.fn.Return<Realm | undefined, BadRequest | NotFound> {
  const distinct = new Set(stated)
  if (distinct.size > 1) return yield* badRequest("contradicting_realm")
  const [id] = distinct
  if (id === undefined || id === own?.id) return own
  if (own !== undefined) return yield* notFound("realm")
  return yield* realms.find(id).pipe(Effect.mapError(() => notFound("realm")))
})

/** What a path names without a realm: the thing of an id, or the data behind a signup token. */
const kindIn = (path: string): Kind | undefined => kindOf(path) ?? (isToken("utk_", path) ? "signupToken" : undefined)

const settle = Effect.fnUntraced(function* (
  realms: Realms["Service"],
  names: RealmNames,
  { resource, isName, takesToken }: PathTerms
): Effect.fn.Return<Realm, BadRequest | NotFound | Invalid> {
  // The id of a realm in the path names it, whatever else is stated.
  const stated = resource === "realm" && names.path !== undefined ? [names.path] : names.stated
  const named = yield* statedRealm(realms, names.own, stated)
  if (named !== undefined) return named
  const kind = names.path === undefined ? undefined : kindIn(names.path)
  if (names.path !== undefined && kind !== undefined) {
    return (yield* realms.realmOf(kind, names.path)) ?? (yield* notFound(resource))
  }
  const ofToken = takesToken && names.path !== undefined ? realmOfToken(names.path) : undefined
  if (ofToken !== undefined) return yield* realms.find(ofToken).pipe(Effect.mapError(() => notFound(resource)))
  if (names.readOnly !== undefined) {
    return yield* realms.find(names.readOnly).pipe(Effect.mapError(() => notFound("realm")))
  }
  if (names.path !== undefined && !isName(names.path)) return yield* notFound(resource)
  return yield* invalid([problem("realm", "blank")])
})

/** The realm of a call that needs one: stated, or found by the id in its path. */
export const realmOfCall = (realms: Realms["Service"], names: RealmNames, terms: PathTerms) =>
  names.own !== undefined && names.stated.length === 0 && terms.resource !== "realm"
    ? Effect.succeed(names.own)
    : settle(realms, names, terms)
