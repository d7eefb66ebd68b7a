import { Context, DateTime, Effect, Layer } from "effect"
import {
  type DescribedClient,
  describedClient,
  MetadataRefused,
  openMetadata,
  parseMetadata
} from "#domain/ClientMetadata"
import { documentSeconds, isDocumentUrl, UNUSED_HOURS } from "#domain/ClientRegistration"
import type { RateLimited } from "#domain/Limit"
import { type OAuthRefused, oauthRefused } from "#domain/OAuthProblem"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { makeAdmission } from "#platform/Admission"
import type { Client } from "#platform/ClientAddress"
import { Outbound } from "#platform/Outbound"
import { type DocumentClient, OAuthRegistrationsRepo } from "#store/OAuthRegistrationsRepo"
import { OAuthApps } from "../apps/OAuthApps.ts"
import { RateLimits } from "../limits/RateLimits.ts"

/** How long a document may take to arrive, in milliseconds, and how long it may be, in bytes. */
const LIMITS = { timeLimit: 5_000, maxBytes: 5_120 }

/** How many documents are fetched at once. Who publishes slow ones takes no more places from the requests of others (SEC-190). */
const CONCURRENCY = 32

const JSON_TYPE = /^application\/(?:json|[\w.-]+\+json)(?:\s*;|$)/i

/** A document as it was fetched. */
interface FetchedDocument {
  readonly described: DescribedClient
  readonly expiresAt: DateTime.Utc
}

/** Clients whose `client_id` is the URL of a document that describes them (draft-ietf-oauth-client-id-metadata-document). */
export class ClientDocuments extends Context.Service<
  ClientDocuments,
  {
    /**
     * Brings the client of a document up to date, before it begins anything: registers it, or fetches its document again when that
     * is due. Does nothing for any other `client_id`. `from`: the address of who asks.
     */
    refresh(
      clientId: string | undefined,
      from: Client
    ): Effect.Effect<void, OAuthRefused | RateLimited | RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/ClientDocuments") {
  static readonly layer = Layer.effect(
    ClientDocuments,
    Effect.gen(function* () {
      const apps = yield* OAuthApps
      const outbound = yield* Outbound
      const rateLimits = yield* RateLimits
      const repo = yield* OAuthRegistrationsRepo
      const admission = makeAdmission({ name: "documents", concurrency: CONCURRENCY, queueLimit: 0 })

      /** Fetches a document and reads it. Nothing of it counts unless it names its own URL (SEC-190). */
      const fetchDocument = Effect.fnUntraced(function* (url: string) {
        const headers = { accept: "application/json" }
        const question = { method: "GET", url, headers, body: undefined, ...LIMITS } as const
        const response = yield* Effect.catchTags(outbound.request(question), {
          OutboundFailed: () => Effect.fail(oauthRefused("document_unreachable")),
          ResponseTooLarge: () => Effect.fail(oauthRefused("document_malformed"))
        })
        if (response.status !== 200) return yield* oauthRefused("document_unreachable")
        const isJson = JSON_TYPE.test(response.contentType ?? "")
        const metadata = isJson ? parseMetadata(response.body) : undefined
        if (metadata === undefined) return yield* oauthRefused("document_malformed")
        if (metadata["client_id"] !== url) return yield* oauthRefused("document_mismatch")
        const described = describedClient(metadata, "document", openMetadata)
        if (described instanceof MetadataRefused) return yield* oauthRefused("document_refused")
        const seconds = documentSeconds(response.cacheControl)
        const fetched: FetchedDocument = { described, expiresAt: DateTime.add(yield* DateTime.now, { seconds }) }
        return fetched
      })

      const register = Effect.fnUntraced(function* (url: string, { described, expiresAt }: FetchedDocument) {
        const unusedUntil = DateTime.add(yield* DateTime.now, { hours: UNUSED_HOURS })
        yield* apps
          .register(described.clientType, described.input, {
            kind: "document",
            tokenDigest: null,
            documentUrl: url,
            documentExpiresAt: expiresAt,
            unusedUntil
          })
          .pipe(
            Effect.catchTags({
              Rejected: () => Effect.fail(oauthRefused("document_refused")),
              TooManyClients: () => Effect.fail(oauthRefused("clients_full")),
              // Another request has registered it meanwhile.
              DocumentKnown: () => Effect.void
            })
          )
      })

      const update = Effect.fnUntraced(function* ({ client }: DocumentClient, document: FetchedDocument) {
        const { clientType, input } = document.described
        if (clientType !== client.clientType) return yield* oauthRefused("document_refused")
        // Whether people are asked is not up to the client, nor is what management allows it (C196).
        const { consent: _, allowedScopes: __, ...changes } = input
        yield* Effect.catchTags(apps.update(client.id, changes), {
          Rejected: () => Effect.fail(oauthRefused("document_refused")),
          ConnectedAppNotFound: () => Effect.fail(oauthRefused("client_unknown"))
        })
        yield* repo.updateDocument(client, document.expiresAt)
      })

      const refresh = Effect.fn("ClientDocuments.refresh")(function* (clientId: string | undefined, from: Client) {
        const realm = yield* CurrentRealm
        if (clientId === undefined || !isDocumentUrl(clientId)) return
        if (realm.clientRegistration !== "open") return yield* oauthRefused("client_unknown")
        if (realm.state !== "active") return yield* oauthRefused("realm_inactive")
        const known = yield* repo.findByDocument(realm.id, clientId)
        if (known?.client.state === "inactive") return yield* oauthRefused("client_unknown")
        const isCurrent = known?.expiresAt && DateTime.isGreaterThan(known.expiresAt, yield* DateTime.now)
        if (isCurrent) return
        const reserve = rateLimits.reserve("registrations", `${realm.id} ${from.key}`, realm.limits)
        const fetching = Effect.all([reserve, fetchDocument(clientId)])
        const [refund, document] = yield* admission.runOrDie(realm.id, fetching)
        if (known === undefined) return yield* register(clientId, document)
        yield* update(known, document)
        yield* refund
      })

      return ClientDocuments.of({ refresh })
    })
  )
}
