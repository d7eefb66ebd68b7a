const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * A copy of a body with another value at the end of a path. Step `0` is a list's first element. Missing parts of the
 * path are created.
 */
export const withAt = (body: unknown, [step, ...rest]: ReadonlyArray<string>, value: unknown): unknown => {
  if (step === undefined) return value
  if (step === "0") return [withAt(Array.isArray(body) ? body[0] : undefined, rest, value)]
  const members = isObject(body) ? body : {}
  return { ...members, [step]: withAt(members[step], rest, value) }
}
