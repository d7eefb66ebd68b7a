import type { InvalidMember } from "#api/InvalidRequest"
import { memberOf } from "#domain/JsonObject"

type Way = ReadonlyArray<PropertyKey>

/** Returns the object that contains the member at the end of a path, or undefined if the body has none. */
const ownerOf = (body: unknown, way: Way): object | undefined => {
  let owner = body
  for (const step of way.slice(0, -1)) {
    owner = memberOf(owner, step)
  }
  return typeof owner === "object" && owner !== null ? owner : undefined
}

const remove = (body: unknown, way: Way): boolean => {
  const [owner, name] = [ownerOf(body, way), way.at(-1)]
  if (owner === undefined || name === undefined) return false
  if (!Array.isArray(owner)) return Reflect.deleteProperty(owner, name)
  return owner.splice(Number(name), 1).length > 0
}

const fill = (body: unknown, way: Way): boolean => {
  const [owner, name] = [ownerOf(body, way), way.at(-1)]
  return owner !== undefined && name !== undefined && Reflect.set(owner, name, "")
}

/**
 * Changes a body so that the rest of it can be decoded. Removes invalid members and sets missing ones to an empty string;
 * where an empty string is invalid, removes the object that requires the member. `filled` collects the members set to an empty
 * string. Returns false if nothing is left to decode.
 */
export const makeReadable = (body: unknown, wrong: ReadonlyArray<InvalidMember>, filled: Set<string>): boolean => {
  const removed = new Map<string, Way>()
  let isReadable = true
  for (const { path: way, isMissing } of wrong) {
    const name = JSON.stringify(way)
    if (isMissing && !filled.has(name)) isReadable &&= fill(body, way)
    else {
      const gone = filled.has(name) ? way.slice(0, -1) : way
      removed.set(JSON.stringify(gone), gone)
    }
    if (isMissing) filled.add(name)
  }
  // From last to first, because removing a list element shifts the elements after it.
  for (const way of [...removed.values()].toReversed()) isReadable &&= remove(body, way)
  return isReadable
}
