/** An object from parsed JSON. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Returns whether a parsed JSON value is an object, as opposed to null or an array. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** An object's own member with this name. Undefined if it has none, or if the value is not an object. */
export const memberOf = (value: unknown, name: PropertyKey): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
