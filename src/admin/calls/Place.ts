/** The path of the service's public URL, such as `/auth`, by where this very file has been loaded from; empty at the root of a host. */
export const servicePath = /^(\/.*)\/console\/assets\//.exec(new URL(import.meta.url).pathname)?.[1] ?? ""

/** Where the console is on its host. */
export const consolePath = `${servicePath}/console`

/** The address of the service, as programs are told to call it. */
export const serviceUrl = (): string => window.location.origin + servicePath
