/**
 * The path prefix of the service's public URL, such as `/auth`, derived from this script's URL. Empty at the root of a
 * host.
 */
export const servicePath = /^(\/.*)\/console\/assets\//.exec(new URL(import.meta.url).pathname)?.[1] ?? ""

/** The path of the console. */
export const consolePath = `${servicePath}/console`

/** The service's base URL for programs. */
export const serviceUrl = (): string => window.location.origin + servicePath
