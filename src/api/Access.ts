import { Context } from "effect"
import { type HttpApiEndpoint, type HttpApiGroup, HttpApiMiddleware } from "effect/http-api"
import type { Caller } from "#domain/Caller"
import type { Level } from "#domain/Level"
import type { CurrentRealm, Realm } from "#domain/Realm"
import { WireErrors } from "./Errors.ts"

/** The API key level that an endpoint requires (C2). Each endpoint declares one. */
export class RequiredLevel extends Context.Service<RequiredLevel, Level>()("sallyport/api/RequiredLevel") {}

/** Marks an endpoint that operators with the role `support` may call, whatever level it requires from API keys (C303). */
export class AllowsSupport extends Context.Service<AllowsSupport, true>()("sallyport/api/AllowsSupport") {}

/** The kind of resource that an endpoint's path identifies, for the message of a 404. */
export class Resource extends Context.Service<Resource, string>()("sallyport/api/Resource") {}

/** Returns whether a path segment that is not an ID is a name, such as an email. Names are unique only within a realm (C4). */
export class NameInPath extends Context.Service<NameInPath, (text: string) => boolean>()("sallyport/api/NameInPath") {}

/** Marks an endpoint whose path accepts a complete login token instead of an ID. Like an ID, the token identifies its realm. */
export class TokenInPath extends Context.Service<TokenInPath, true>()("sallyport/api/TokenInPath") {}

/** The member that wraps the attributes in an endpoint's body (`v2.common.wrapper`). */
export class Wrapper extends Context.Service<Wrapper, string>()("sallyport/api/Wrapper") {}

/**
 * Marks an endpoint whose operation checks all rules before it changes anything. If members of a body have the wrong type, the
 * rest of the body is still checked, so that the caller gets all problems in one response (C69).
 */
export class RulesFirst extends Context.Service<RulesFirst, true>()("sallyport/api/RulesFirst") {}

/** Marks a deletion that returns 204 even if the resource does not exist. */
export class IdempotentDelete extends Context.Service<IdempotentDelete, true>()("sallyport/api/IdempotentDelete") {}

/** Marks an endpoint that accepts `null` as its realm, meaning all realms (`v1.hooks`, C88). */
export class NullRealm extends Context.Service<NullRealm, true>()("sallyport/api/NullRealm") {}

/**
 * Marks an endpoint that may wait for an external server (a provider or a webhook's destination), for password hashing, or for
 * a trial rendering of a template. It holds no transaction while it waits, and its calls have a separate concurrency limit.
 */
export class LongRunning extends Context.Service<LongRunning, true>()("sallyport/api/LongRunning") {}

/**
 * Marks an endpoint whose request or response body is streamed. Its body can't name a realm, `Idempotency-Key` does not apply,
 * and its calls have a separate concurrency limit.
 */
export class Streamed extends Context.Service<Streamed, true>()("sallyport/api/Streamed") {}

/** Marks an expensive read that can run on a replica of the database, like lists (ADR-0023). */
export class ReadsFromReplica extends Context.Service<ReadsFromReplica, true>()("sallyport/api/ReadsFromReplica") {}

/** The realm that an account-wide request names, undefined if it names none, or null if it asks for all realms. */
export class NamedRealm extends Context.Service<NamedRealm, Realm | null | undefined>()("sallyport/api/NamedRealm") {}

/** Authenticates the caller, checks the API key's level and determines the realm of the request (C1, C2, C4). */
export class TenantAccess extends HttpApiMiddleware.Service<TenantAccess, { provides: Caller | CurrentRealm }>()(
  "sallyport/api/TenantAccess",
  { error: WireErrors }
) {}

/** Like `TenantAccess`, but for account-wide requests, in which the realm is optional. */
export class AccountAccess extends HttpApiMiddleware.Service<AccountAccess, { provides: Caller | NamedRealm }>()(
  "sallyport/api/AccountAccess",
  { error: WireErrors }
) {}

/** Returns the stored response when a POST repeats an `Idempotency-Key` (C12). */
export class Idempotency extends HttpApiMiddleware.Service<Idempotency, { requires: Caller }>()(
  "sallyport/api/Idempotency",
  { error: WireErrors }
) {}

/**
 * Reports all problems of a body that can't be decoded: the invalid members, and the rules that the rest of the body breaks
 * (C69). Applies only to endpoints marked with `RulesFirst`.
 */
export class AllProblems extends HttpApiMiddleware.Service<AllProblems>()("sallyport/api/AllProblems", {
  error: WireErrors
}) {}

/** Converts every failure to the standard error response, in the caller's language. */
export class ErrorResponses extends HttpApiMiddleware.Service<ErrorResponses>()("sallyport/api/ErrorResponses", {
  error: WireErrors
}) {}

/** Adds the middleware for a group whose requests belong to one realm. */
export const requireTenantAccess = <Id extends string, Endpoints extends HttpApiEndpoint.Constraint>(
  group: HttpApiGroup.HttpApiGroup<Id, Endpoints>
) => group.middleware(AllProblems).middleware(Idempotency).middleware(TenantAccess).middleware(ErrorResponses)

/** Adds the middleware for streamed requests to one realm, without `Idempotency-Key`. */
export const requireStreamedAccess = <Id extends string, Endpoints extends HttpApiEndpoint.Constraint>(
  group: HttpApiGroup.HttpApiGroup<Id, Endpoints>
) => group.annotateEndpoints(Streamed, true).middleware(TenantAccess).middleware(ErrorResponses)

/** Adds the middleware for a group whose requests are account-wide. */
export const requireAccountAccess = <Id extends string, Endpoints extends HttpApiEndpoint.Constraint>(
  group: HttpApiGroup.HttpApiGroup<Id, Endpoints>
) => group.middleware(AllProblems).middleware(Idempotency).middleware(AccountAccess).middleware(ErrorResponses)
