import { Context, DateTime, Effect, Layer } from "effect"
import { isDocumentUrl, UNUSED_HOURS } from "#domain/clients/ClientRegistration"
import type { OAuthClient } from "#domain/clients/OAuthClient"
import type { RateLimited } from "#domain/Limit"
import { type DescribedClient, describedClient, MetadataRefused, openMetadata } from "#domain/oauth/ClientMetadata"
import { revokesGrants } from "#domain/oauth/OAuthGrant"
import { type OAuthRefused, oauthRefused } from "#domain/oauth/OAuthProblem"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import type { Client } from "#platform/ClientAddress"
import { Transaction } from "#platform/Transaction"
import { OAuthGrantEndsRepo } from "#store/oauth/OAuthGrantEndsRepo"
import { type DocumentClient, OAuthRegistrationsRepo } from "#store/oauth/OAuthRegistrationsRepo"
import { OAuthClients } from "../apps/OAuthClients.ts"
import { Journal } from "../events/Journal.ts"
import { RateLimits } from "../limits/RateLimits.ts"
import { grantRevoked } from "./OAuthGrants.ts"
import { PublishedJson } from "./PublishedJson.ts"

/** The maximum length of a document, in bytes. */
const DOCUMENT_BYTES = 5_120

/** The maximum number of grants to end in one transaction. */
const BATCH = 500

/** A fetched document. */
interface FetchedDocument {
  readonly described: DescribedClient
  readonly expiresAt: DateTime.Utc
}

/**
 * Manages clients whose `client_id` is the URL of a document that describes them
 * (draft-ietf-oauth-client-id-metadata-document).
 */
export class ClientDocuments extends Context.Service<
  ClientDocuments,
  {
    /**
     * Registers the client of a document, or fetches its document again if that is due. Call it before the client starts a
     * request. Does nothing if the `client_id` is no document URL. `from` is the caller's address.
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
      const apps = yield* OAuthClients
      const ends = yield* OAuthGrantEndsRepo
      const journal = yield* Journal
      const published = yield* PublishedJson
      const rateLimits = yield* RateLimits
      const repo = yield* OAuthRegistrationsRepo
      const transaction = yield* Transaction

      /** Fetches and parses a document. Rejects a document whose `client_id` is not its own URL (SEC-190). */
      const fetchDocument = Effect.fnUntraced(function* (url: string) {
        const { members, seconds } = yield* Effect.mapError(published.fetch(url, DOCUMENT_BYTES), ({ why }) =>
          oauthRefused(`document_${why}`)
        )
        if (members["client_id"] !== url) return yield* oauthRefused("document_mismatch")
        const described = describedClient(members, "document", openMetadata)
        if (described instanceof MetadataRefused) return yield* oauthRefused("document_refused")
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
              // A concurrent request has registered the client.
              DocumentKnown: () => Effect.void
            })
          )
      })

      /** Ends all grants of a client, and records `oauth.grant.revoked` for each. */
      const endGrants = Effect.fnUntraced(function* ({ realmId, id }: OAuthClient) {
        const endBatch = Effect.gen(function* () {
          const ended = yield* ends.endOfAll(realmId, id, yield* DateTime.now, BATCH)
          yield* journal.record(ended.map(grantRevoked))
          return ended.length
        })
        while ((yield* transaction.run(endBatch)) === BATCH);
      })

      const update = Effect.fnUntraced(function* ({ client }: DocumentClient, document: FetchedDocument) {
        const { clientType, input } = document.described
        // The document can't decide whether users are asked for consent, and can't change the scopes set by management calls
        // (C196).
        const { consent: _, allowedScopes: __, ...changes } = input
        const after = yield* Effect.catchTags(apps.update(client.id, changes, undefined, clientType), {
          Rejected: () => Effect.fail(oauthRefused("document_refused")),
          ConnectedAppNotFound: () => Effect.fail(oauthRefused("client_unknown"))
        })
        if (revokesGrants(client, after)) yield* endGrants(client)
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
        const [refund, document] = yield* published.withSlot(fetching)
        if (known === undefined) return yield* register(clientId, document)
        yield* update(known, document)
        yield* refund
      })

      return ClientDocuments.of({ refresh })
    })
  )
}
