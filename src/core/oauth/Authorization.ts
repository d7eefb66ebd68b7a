import { Context, DateTime, Effect, Layer } from "effect"
import { AuthorizationRefused, type AuthorizationRequest } from "#domain/oauth/AuthorizationRequest"
import {
  type AuthorizationAnswers,
  type AuthorizationStep,
  nextAuthorizationStep
} from "#domain/oauth/AuthorizationStep"
import { CODE_SECONDS } from "#domain/oauth/OAuthCode"
import { consentPairs } from "#domain/oauth/OAuthConsent"
import type { OAuthReason } from "#domain/oauth/OAuthProblem"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { ownUsername } from "#domain/Username"
import { Entropy } from "#platform/Entropy"
import { IdGenerator } from "#platform/IdGenerator"
import { randomSecret, sha256Text } from "#platform/Tokens"
import { Transaction } from "#platform/Transaction"
import { OAuthCodesRepo } from "#store/oauth/OAuthCodesRepo"
import { OAuthConsentsRepo } from "#store/oauth/OAuthConsentsRepo"
import { OAuthRequestsRepo } from "#store/oauth/OAuthRequestsRepo"
import { AccountSettings } from "../account/AccountSettings.ts"
import { Journal } from "../events/Journal.ts"
import { StepUps } from "../hosted/StepUps.ts"
import type { LoggedInVisitor } from "../sessions/BrowserSessions.ts"
import type { OpenAuthorization } from "./AuthorizationRequests.ts"
import { IdTokenHints } from "./IdTokenHints.ts"

/** Guides users through authorization requests, and issues the codes. */
export class Authorization extends Context.Service<
  Authorization,
  {
    /** Returns the browser's next step. `visitor` is undefined if no user is logged in. */
    next(
      open: OpenAuthorization,
      visitor: LoggedInVisitor | undefined,
      answers: AuthorizationAnswers
    ): Effect.Effect<AuthorizationStep, never, CurrentRealm>
    /**
     * Issues the code and ends the request. If two forms are submitted concurrently, only one gets a code. `hasConsented` is
     * true if the user was asked for consent. The consent is then stored and recorded as `oauth.consent.granted`.
     */
    issue(
      open: OpenAuthorization,
      visitor: LoggedInVisitor,
      hasConsented: boolean
    ): Effect.Effect<string, AuthorizationRefused | RealmNotFound, CurrentRealm>
    /** Ends a request without issuing a code. */
    deny(open: OpenAuthorization): Effect.Effect<void, never, CurrentRealm>
  }
>()("sallyport/core/Authorization") {
  static readonly layer = Layer.effect(
    Authorization,
    Effect.gen(function* () {
      const account = yield* AccountSettings
      const codes = yield* OAuthCodesRepo
      const consents = yield* OAuthConsentsRepo
      const entropy = yield* Entropy
      const hints = yield* IdTokenHints
      const ids = yield* IdGenerator
      const journal = yield* Journal
      const requests = yield* OAuthRequestsRepo
      const stepUps = yield* StepUps
      const transaction = yield* Transaction

      const refused = (reason: OAuthReason, target: AuthorizationRequest | null) =>
        Effect.fail(new AuthorizationRefused({ reason, target }))

      /**
       * Returns whether this is the user that the client expects, if it expects one. The client must not get a code for
       * another user (OpenID Connect Core §3.1.2.2).
       */
      const expects = Effect.fnUntraced(function* ({ subject, idTokenHint }: AuthorizationRequest, userId: string) {
        const hinted = idTokenHint === null ? undefined : yield* hints.read(idTokenHint)
        return [subject ?? userId, hinted?.userId ?? userId].every((expected) => expected === userId)
      })

      const next = Effect.fn("Authorization.next")(function* (
        { request, createdAt }: OpenAuthorization,
        visitor: LoggedInVisitor | undefined,
        answers: AuthorizationAnswers
      ) {
        if (visitor === undefined) return nextAuthorizationStep(request, createdAt, undefined, answers)
        const { mfa } = yield* CurrentRealm
        const { authentication, provedAt, user } = visitor
        const honorsLevel = request.acr?.isEssential === true || !request.prompts.includes("none")
        const level = mfa === "off" || !honorsLevel ? "aal1" : (request.acr?.level ?? "aal1")
        const missing = yield* stepUps.missing(visitor, { maxAge: null, level })
        const consent = yield* consents.find(user.realmId, user.id, request.client.id)
        const names = [user.email, ownUsername(user)]
        const isExpected = yield* expects(request, user.id)
        return nextAuthorizationStep(
          request,
          createdAt,
          { authentication, provedAt, missing, isExpected, names, consent },
          answers
        )
      })

      const issue = Effect.fn("Authorization.issue")(function* (
        { id, request }: OpenAuthorization,
        { user, sid, authentication }: LoggedInVisitor,
        hasConsented: boolean
      ) {
        const { scopes, resources, orgId } = request
        const about = { realmId: user.realmId, userId: user.id, clientId: request.client.id, scopes, resources }
        if (orgId !== null && (yield* account.orgs(user)).every((org) => org.id !== orgId)) {
          return yield* refused("not_a_member", request)
        }
        if (!(yield* expects(request, user.id))) return yield* refused("other_user", request)
        const [code, now] = [`oac_${randomSecret(entropy)}`, yield* DateTime.now]
        const issued = {
          ...about,
          id: sha256Text(code),
          grantId: yield* ids.make("grant"),
          sid,
          redirectUri: request.redirectUri,
          codeChallenge: request.codeChallenge,
          nonce: request.nonce,
          orgId,
          claims: request.claims,
          jkt: request.jkt,
          authentication,
          createdAt: now,
          expiresAt: DateTime.add(now, { seconds: CODE_SECONDS }),
          usedAt: null
        }
        yield* transaction.run(
          Effect.gen(function* () {
            if (!(yield* requests.consume(user.realmId, id, now))) return yield* refused("request_expired", null)
            if (!(yield* codes.insert(issued))) return yield* refused("access_denied", request)
            if (!hasConsented) return
            yield* consents.grant({ ...about, id: yield* ids.make("consent"), pairs: consentPairs(about) }, now)
            const event = { userId: user.id, appId: request.client.id, sessionId: sid }
            yield* journal.record([{ eventType: "oauth.consent.granted", ...event }])
          })
        )
        return code
      })

      const deny = Effect.fn("Authorization.refuse")(function* ({ id, request }: OpenAuthorization) {
        yield* requests.consume(request.client.realmId, id, yield* DateTime.now)
      })

      return Authorization.of({ next, issue, deny })
    })
  )
}
