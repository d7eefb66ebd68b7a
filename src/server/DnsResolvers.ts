import { Resolver } from "node:dns/promises"
import { Effect, Layer } from "effect"
import { boundedAnswer, type DnsAnswer, dnsFailure } from "#domain/DnsAnswer"
import { Dns } from "#platform/Dns"

export interface DnsOptions {
  /**
   * The addresses of the resolvers, each with an optional port. Each is asked separately. Empty: the system's resolvers, of which
   * one is asked and the others stand in.
   */
  readonly dnsResolvers: ReadonlyArray<string>
}

/** How long a resolver may take for one attempt and in total, in milliseconds of real time. */
const ATTEMPT = 2_500
const LIMIT = 8_000

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : ""

const failureOf = (error: unknown): DnsAnswer => {
  switch (codeOf(error)) {
    case "ENOTFOUND":
      return dnsFailure("nxdomain")
    case "ENODATA":
      return dnsFailure("no_record")
    case "ETIMEOUT":
    case "ECONNREFUSED":
    case "ECANCELLED":
      return dnsFailure("timeout")
    default:
      return dnsFailure("servfail")
  }
}

/**
 * Whether a name is an alias. Its records then belong to another name, which someone else may control: the target of a forgotten
 * wildcard alias, for example.
 */
const isAlias = async (resolver: Resolver, name: string): Promise<boolean> => {
  try {
    return (await resolver.resolveCname(name)).length > 0
  } catch (error) {
    if (codeOf(error) === "ENODATA" || codeOf(error) === "ENOTFOUND") return false
    throw error
  }
}

const lookUp = async (resolver: Resolver, name: string): Promise<DnsAnswer> => {
  try {
    const texts = await resolver.resolveTxt(name)
    const answer = boundedAnswer(texts.map((strings) => strings.join("")))
    return answer._tag === "Records" && (await isAlias(resolver, name)) ? dnsFailure("alias") : answer
  } catch (error) {
    return failureOf(error)
  }
}

/** Asks one resolver. It has its own sockets, which close after the answer. */
const ask = (server: string | undefined, name: string, limit: number) =>
  Effect.callback<DnsAnswer>((resume) => {
    const resolver = new Resolver({ timeout: Math.min(ATTEMPT, limit), tries: 2 })
    if (server !== undefined) resolver.setServers([server])
    const timer = setTimeout(() => resolver.cancel(), limit)
    lookUp(resolver, name).then((answer) => {
      clearTimeout(timer)
      resume(Effect.succeed(answer))
    })
    return Effect.sync(() => {
      clearTimeout(timer)
      resolver.cancel()
    })
  }).pipe(Effect.withSpan("dns TXT", { kind: "client" }))

/** Looks up records with the configured resolvers. Tests set a lower `limit`. */
export const layer = ({ dnsResolvers }: DnsOptions, limit = LIMIT): Layer.Layer<Dns> =>
  Layer.succeed(Dns, {
    txt: (name) =>
      Effect.forEach(dnsResolvers.length === 0 ? [undefined] : dnsResolvers, (server) => ask(server, name, limit), {
        concurrency: "unbounded"
      })
  })
