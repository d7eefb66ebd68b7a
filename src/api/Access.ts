import { Context } from "effect"
import { type HttpApiEndpoint, type HttpApiGroup, HttpApiMiddleware } from "effect/http-api"
import type { Caller, Level } from "#domain/Caller"
import type { CurrentRealm, Realm } from "#domain/Realm"
import { WireErrors } from "./Errors.ts"

/** The level that an endpoint requires of the caller's key (C2). Each endpoint carries one. */
export class RequiredLevel extends Context.Service<RequiredLevel, Level>()("sallyport/api/RequiredLevel") {}

/** The resource that an endpoint's path names, for the message of a 404. */
export class Resource extends Context.Service<Resource, string>()("sallyport/api/Resource") {}

/** Tells whether a path segment that is not an id is a name, such as an e-mail, which is unique only within a realm (C4). */
export class NameInPath extends Context.Service<NameInPath, (text: string) => boolean>()("sallyport/api/NameInPath") {}

/** Marks an endpoint whose path takes a full login token in place of an id: a token names its realm as an id does. */
export class TokenInPath extends Context.Service<TokenInPath, true>()("sallyport/api/TokenInPath") {}

/** The member that wraps the attributes in an endpoint's body (`v2.common.wrapper`). */
export class Wrapper extends Context.Service<Wrapper, string>()("sallyport/api/Wrapper") {}

/**
 * Marks an endpoint whose operation checks all rules before it does anything else. A body with members of wrong types is then
 * checked for the rules as well, without those members, so that the caller hears of everything at once (C69).
 */
export class RulesFirst extends Context.Service<RulesFirst, true>()("sallyport/api/RulesFirst") {}

/** Marks a deletion that answers 204 when the resource does not exist (any more). */
export class IdempotentDelete extends Context.Service<IdempotentDelete, true>()("sallyport/api/IdempotentDelete") {}

/** Marks an endpoint that takes `null` as its realm, which means what belongs to all realms (`v1.hooks`, C88). */
export class NullRealm extends Context.Service<NullRealm, true>()("sallyport/api/NullRealm") {}

/**
 * Marks an endpoint that waits for an outside server (a provider, a destination), for a password to be hashed or for a
 * template to be tried. It holds no transaction while it waits, and its calls are counted against a limit of their own.
 */
export class LongRunning extends Context.Service<LongRunning, true>()("sallyport/api/LongRunning") {}

/**
 * Marks an endpoint whose body is read, or whose answer is written, while it is worked on. Its body names no realm, and its calls
 * are neither repeated by an `Idempotency-Key` nor counted among those that are over in a moment.
 */
export class Streamed extends Context.Service<Streamed, true>()("sallyport/api/Streamed") {}

/**
 * Marks an endpoint that only reads, and much: a replica of the database may answer it, as it may each list (ADR-0023).
 */
export class ReadsMuch extends Context.Service<ReadsMuch, true>()("sallyport/api/ReadsMuch") {}

/** The realm that an account-wide request names: undefined if it names none, null if it says that it means all. */
export class NamedRealm extends Context.Service<NamedRealm, Realm | null | undefined>()("sallyport/api/NamedRealm") {}

/** Authenticates the caller, checks the level of the key and resolves the realm of the request (C1, C2, C4). */
export class TenantAccess extends HttpApiMiddleware.Service<TenantAccess, { provides: Caller | CurrentRealm }>()(
  "sallyport/api/TenantAccess",
  { error: WireErrors }
) {}

/** The same for account-wide requests, which need no realm. */
export class AccountAccess extends HttpApiMiddleware.Service<AccountAccess, { provides: Caller | NamedRealm }>()(
  "sallyport/api/AccountAccess",
  { error: WireErrors }
) {}

/** Answers a POST that repeats an `Idempotency-Key` with the response of the first one (C12). */
export class Idempotency extends HttpApiMiddleware.Service<Idempotency, { requires: Caller }>()(
  "sallyport/api/Idempotency",
  { error: WireErrors }
) {}

/** Refuses a body that can't be read for the rules that the rest of it breaks, too, where the endpoint is marked so (C69). */
export class AllProblems extends HttpApiMiddleware.Service<AllProblems>()("sallyport/api/AllProblems", {
  error: WireErrors
}) {}

/** Answers every failure with the standard error response, in the caller's language. */
export class ErrorResponses extends HttpApiMiddleware.Service<ErrorResponses>()("sallyport/api/ErrorResponses", {
  error: WireErrors
}) {}

/** The middleware of a group whose requests are made inside a realm. */
export const requireTenantAccess = <Id extends string, Endpoints extends HttpApiEndpoint.Constraint>(
  group: HttpApiGroup.HttpApiGroup<Id, Endpoints>
) => group.middleware(AllProblems).middleware(Idempotency).middleware(TenantAccess).middleware(ErrorResponses)

/** The same for requests that are streamed: those are not repeated by their `Idempotency-Key`. */
export const requireStreamedAccess = <Id extends string, Endpoints extends HttpApiEndpoint.Constraint>(
  group: HttpApiGroup.HttpApiGroup<Id, Endpoints>
) => group.annotateEndpoints(Streamed, true).middleware(TenantAccess).middleware(ErrorResponses)

/** The middleware of a group whose requests are account-wide. */
export const requireAccountAccess = <Id extends string, Endpoints extends HttpApiEndpoint.Constraint>(
  group: HttpApiGroup.HttpApiGroup<Id, Endpoints>
) => group.middleware(AllProblems).middleware(Idempotency).middleware(AccountAccess).middleware(ErrorResponses)
