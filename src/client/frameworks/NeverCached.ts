/** The parts of Node's response that are used. */
interface NodeResponse {
  setHeader(name: string, value: string): unknown
}

const guarded = new WeakSet<object>()

const isCacheControl = (name: unknown): boolean => typeof name === "string" && name.toLowerCase() === "cache-control"

/** The headers that a handler passes to `writeHead`, without `Cache-Control`: an object, pairs, or names and values. */
const withoutCacheControl = (headers: unknown): unknown => {
  if (typeof headers !== "object" || headers === null) return headers
  if (!Array.isArray(headers))
    return Object.fromEntries(Object.entries(headers).filter(([name]) => !isCacheControl(name)))
  const list: ReadonlyArray<unknown> = headers
  const isOne = (item: unknown, index: number): boolean =>
    isCacheControl(Array.isArray(item) ? item[0] : list[index - (index % 2)])
  return list.filter((item, index) => !isOne(item, index))
}

/**
 * Forbids caches to store a response, whatever its handler sets: a cache must not give one user's cookie to another. The
 * header is set at the last moment, when the response's headers are written.
 */
export const neverCached = (response: NodeResponse): void => {
  if (guarded.has(response)) return
  guarded.add(response)
  const writeHead: unknown = Reflect.get(response, "writeHead")
  if (typeof writeHead !== "function") return
  const writing = (...parameters: ReadonlyArray<unknown>): unknown => {
    response.setHeader("cache-control", "no-store")
    return Reflect.apply(writeHead, response, parameters.map(withoutCacheControl))
  }
  Reflect.set(response, "writeHead", writing)
}
