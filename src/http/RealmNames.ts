import { Effect } from "effect"
import type { BadRequest, Invalid } from "#api/Errors"
import type { Realm } from "#domain/Realm"
import { problem } from "#domain/Rejected"
import { badRequest, invalid } from "./Errors.ts"
import type { Query } from "./QueryParameters.ts"

/** All realms named by a request (C4). */
export interface RealmNames {
  /** The realm that the caller's API key is locked to. */
  readonly own: Realm | undefined
  /** The first parameter of the path. */
  readonly path: string | undefined
  /** The realms named in the query, header and body. If they differ, the request contradicts itself. */
  readonly stated: ReadonlyArray<string>
  /**
   * The realms named in the body of an update. `realm_id` is read-only there, so it selects the realm only if nothing else
   * does (C8).
   */
  readonly readOnly: ReadonlyArray<string>
  /** Whether the request explicitly asks for all realms (C67). */
  readonly allRealms: boolean
}

/** The parts of a request that can name its realm. Values from the body are not validated yet. */
export interface RealmSources {
  readonly own: Realm | undefined
  readonly path: string | undefined
  readonly query: Query
  readonly header: string | undefined
  readonly nextToWrapper: unknown
  readonly inWrapper: unknown
}

const NONE: ReadonlyArray<string> = []

const isNull = (value: unknown): boolean => value === null || value === "null"

const isNamed = (value: unknown): value is string => typeof value === "string" && value !== ""

/** Returns the error code if `realm_id` is present but is not a single string (C47). */
const problemWith = ({ query, nextToWrapper, inWrapper }: RealmSources): string | undefined => {
  const isWrong = (value: unknown) => value !== undefined && value !== null && typeof value !== "string"
  if (isWrong(inWrapper) || isWrong(nextToWrapper)) return "not_text"
  const inQuery = query["realm_id"]
  // Contradicting values are rejected later, with 400.
  return Array.isArray(inQuery) && new Set(inQuery).size < 2 ? "repeated" : undefined
}

/**
 * Returns the realms that a request names. `nullRealm`: whether null means all realms. `acceptsAllRealms`: whether a request can be
 * for all realms.
 */
export const realmNamesIn = (
  places: RealmSources,
  { isUpdate, nullRealm, acceptsAllRealms }: Readonly<Record<"isUpdate" | "nullRealm" | "acceptsAllRealms", boolean>>
): Effect.Effect<RealmNames, BadRequest | Invalid> => {
  const { own, path, query, header, nextToWrapper, inWrapper } = places
  const isSilent = header === undefined && nextToWrapper === undefined && inWrapper === undefined
  if (isSilent && query["realm_id"] === undefined) {
    return Effect.succeed({ own, path, stated: NONE, readOnly: NONE, allRealms: false })
  }
  const wrong = problemWith(places)
  if (wrong !== undefined) return Effect.fail(invalid([problem("realm_id", wrong)]))
  const inQuery = query["realm_id"]
  const isRealm = (value: unknown): value is string => isNamed(value) && !(nullRealm && value === "null")
  const stated = [inQuery, header].flat().filter(isRealm)
  const inBody = [nextToWrapper, inWrapper].filter(isRealm)
  if (!isUpdate) stated.push(...inBody)
  const allRealms = acceptsAllRealms && [inQuery, nextToWrapper, inWrapper].some(isNull)
  if (allRealms && stated.length > 0) return Effect.fail(badRequest("contradicting_realm"))
  return Effect.succeed({ own, path, stated, readOnly: isUpdate ? inBody : [], allRealms })
}
