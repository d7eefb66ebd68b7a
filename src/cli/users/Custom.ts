import type { Custom } from "#domain/Custom"
import { InexactNumber } from "#domain/ExactJson"
import { isObject } from "./Values.ts"

const isScalar = (value: unknown): boolean =>
  value === null || value instanceof InexactNumber || ["string", "number", "boolean"].includes(typeof value)

const keyOf = (name: string): string => name.replaceAll(/[^A-Za-z0-9_]/g, "_")

/**
 * Converts another system's attributes to custom attributes. Replaces invalid characters in keys, flattens nested
 * objects (`address.city` to `address_city`), and writes lists as JSON unless they contain only texts and numbers.
 */
export const customOf = (value: unknown, prefix = ""): Custom => {
  if (!isObject(value)) return {}
  const custom: Record<string, unknown> = {}
  for (const [name, one] of Object.entries(value)) {
    const key = keyOf(prefix + name)
    if (isObject(one)) Object.assign(custom, customOf(one, `${key}_`))
    else if (isScalar(one)) custom[key] = one
    else if (Array.isArray(one)) custom[key] = one.every(isScalar) ? one : JSON.stringify(one)
  }
  return custom
}
