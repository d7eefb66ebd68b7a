import { Context, Data, Effect, Layer } from "effect"
import { copySeconds } from "#domain/clients/ClientRegistration"
import { type ClientMetadata, parseMetadata } from "#domain/oauth/ClientMetadata"
import { CurrentRealm } from "#domain/Realm"
import { makeAdmission } from "#platform/Admission"
import { Outbound } from "#platform/Outbound"

/** The time limit for fetching a file, in milliseconds. */
const TIME_LIMIT = 5_000

/**
 * The maximum number of concurrent fetches. More are rejected, so that slow publishers can't use up the capacity for other
 * requests (SEC-190).
 */
const CONCURRENCY = 32

const JSON_TYPE = /^application\/(?:json|[\w.-]+\+json)(?:\s*;|$)/i

/** A file could not be fetched, or is not a JSON object. */
export class NotPublished extends Data.TaggedError("NotPublished")<{ readonly why: "unreachable" | "malformed" }> {}

/** A JSON object that a client publishes. `seconds` is how long the copy may be used. */
export interface PublishedObject {
  readonly members: ClientMetadata
  readonly seconds: number
}

/**
 * Fetches files that OAuth clients publish: metadata documents and key sets. Fetches only from public addresses, and follows
 * no redirects (SEC-190).
 */
export class PublishedJson extends Context.Service<
  PublishedJson,
  {
    fetch(url: string, maxBytes: number): Effect.Effect<PublishedObject, NotPublished>
    /**
     * Runs work that fetches a file, in one of a limited number of slots. Dies with the error for overload if no slot is free.
     */
    withSlot<A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | CurrentRealm>
  }
>()("sallyport/core/PublishedJson") {
  static readonly layer = Layer.effect(
    PublishedJson,
    Effect.map(Outbound, (outbound) => {
      const admission = makeAdmission({ name: "documents", concurrency: CONCURRENCY, queueLimit: 0 })

      const fetch = Effect.fn("PublishedJson.fetch")(function* (url: string, maxBytes: number) {
        const headers = { accept: "application/json" }
        const limits = { timeLimit: TIME_LIMIT, maxBytes }
        const response = yield* Effect.catchTags(
          outbound.request({ method: "GET", url, headers, body: undefined, ...limits }),
          {
            OutboundFailed: () => Effect.fail(new NotPublished({ why: "unreachable" })),
            ResponseTooLarge: () => Effect.fail(new NotPublished({ why: "malformed" }))
          }
        )
        if (response.status !== 200) return yield* new NotPublished({ why: "unreachable" })
        const isJson = JSON_TYPE.test(response.contentType ?? "")
        const members = isJson ? parseMetadata(response.body) : undefined
        if (members === undefined) return yield* new NotPublished({ why: "malformed" })
        return { members, seconds: copySeconds(response.cacheControl) }
      })

      return PublishedJson.of({
        fetch,
        withSlot: (work) => Effect.flatMap(CurrentRealm, ({ id }) => admission.runOrDie(id, work))
      })
    })
  )
}
