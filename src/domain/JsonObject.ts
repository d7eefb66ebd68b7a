/** An object of parsed JSON. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a value of parsed JSON is an object: neither null nor an array. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The own member of an object with this name; undefined if there is none, or if the value is not an object. */
export const memberOf = (value: unknown, name: PropertyKey): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
