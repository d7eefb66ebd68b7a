import { Context, Effect, Option } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { Resource } from "#api/Access"
import type { BadRequest, Invalid, NotFound } from "#api/Errors"
import type { Realms } from "#core/realms/Realms"
import type { Caller } from "#domain/Caller"
import { isId, kindOf } from "#domain/Ids"
import type { Realm } from "#domain/Realm"
import { problem } from "#domain/Rejected"
import { badRequest, invalid, notFound } from "./Errors.ts"

/** Everything in a call that can name its realm (decision 4). */
export interface RealmNames {
  /** The path's one parameter. */
  readonly path: string | undefined
  readonly query: string | undefined
  readonly header: string | undefined
  readonly body: string | undefined
  /** On an update, `realm_id` in the body is read-only: it names a realm only where nothing else does (decision 8). */
  readonly bodyIsReadOnly: boolean
}

/** The realm a call names; undefined when it names none. */
export const namedRealm = Effect.fnUntraced(function* (
  realms: Realms["Service"],
  caller: Caller["Service"],
  names: RealmNames
): Effect.fn.Return<Realm | undefined, BadRequest | NotFound> {
  const stated = [names.query, names.header, names.bodyIsReadOnly ? undefined : names.body]
  const inPath = names.path !== undefined && names.path.startsWith("rl_") ? names.path : undefined
  const distinct = new Set(inPath === undefined ? stated.filter((name) => name !== undefined) : [inPath])
  if (distinct.size > 1) return yield* badRequest("contradicting_realm")
  const [id = caller.realmId ?? undefined] = distinct
  if (id === undefined) return undefined
  if (caller.realmId !== null && caller.realmId !== id) return yield* notFound("realm")
  return yield* realms.find(id).pipe(Effect.mapError(() => notFound("realm")))
})

/** The realm of a call that needs one: named, or found by the id in its path. */
export const realmOfCall = Effect.fnUntraced(function* (
  realms: Realms["Service"],
  caller: Caller["Service"],
  names: RealmNames,
  endpoint: HttpApiEndpoint.Top
): Effect.fn.Return<Realm, BadRequest | NotFound | Invalid> {
  const resource = Option.getOrElse(Context.getOption(endpoint.annotations, Resource), () => "resource")
  if (resource === "realm" && names.path !== undefined && !isId("realm", names.path)) return yield* notFound("realm")
  const named = yield* namedRealm(realms, caller, names)
  if (named !== undefined) return named
  const kind = names.path === undefined ? undefined : kindOf(names.path)
  if (names.path !== undefined && kind !== undefined) {
    return (yield* realms.realmOf(kind, names.path)) ?? (yield* notFound(resource))
  }
  const byBody =
    names.body === undefined ? undefined : yield* realms.find(names.body).pipe(Effect.mapError(() => notFound("realm")))
  if (byBody !== undefined) return byBody
  if (names.path !== undefined && !names.path.includes("@")) return yield* notFound(resource)
  return yield* invalid([problem("realm", "blank")])
})
