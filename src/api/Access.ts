import { Context } from "effect"
import { type HttpApiEndpoint, type HttpApiGroup, HttpApiMiddleware } from "effect/http-api"
import type { Caller, Level } from "#domain/Caller"
import type { CurrentRealm, Realm } from "#domain/Realm"
import { WireErrors } from "./Errors.ts"

/** The level that an endpoint demands of its caller's key (decision 2). Stands beside each endpoint. */
export class RequiredLevel extends Context.Service<RequiredLevel, Level>()("sallyport/api/RequiredLevel") {}

/** The resource an endpoint's path names, and that is not found when the path names nothing. */
export class Resource extends Context.Service<Resource, string>()("sallyport/api/Resource") {}

/** Whether what an endpoint's path holds, being no id, is a name that only a realm makes sense of (decision 4). */
export class NameInPath extends Context.Service<NameInPath, (text: string) => boolean>()("sallyport/api/NameInPath") {}

/** On an endpoint whose path takes a full login token where an id can stand: it names its realm as an id does. */
export class TokenInPath extends Context.Service<TokenInPath, true>()("sallyport/api/TokenInPath") {}

/** The member that wraps the attributes in an endpoint's body (api-v2 section 4). */
export class Wrapper extends Context.Service<Wrapper, string>()("sallyport/api/Wrapper") {}

/** On an endpoint for which nothing at its path is as good as done: answered 204. */
export class GoneIsDone extends Context.Service<GoneIsDone, true>()("sallyport/api/GoneIsDone") {}

/** On an endpoint that takes `null` for a realm: all of them (api-v1 section 4, "App hooks"). */
export class NullRealm extends Context.Service<NullRealm, true>()("sallyport/api/NullRealm") {}

/**
 * On an endpoint that waits for someone outside (a provider, a destination), for the hashing of a password or for the trial
 * of a template: it holds no transaction meanwhile, and its calls have room of their own.
 */
export class GoesOutside extends Context.Service<GoesOutside, true>()("sallyport/api/GoesOutside") {}

/** The realm a call of the account names, if it names one. */
export class NamedRealm extends Context.Service<NamedRealm, Realm | undefined>()("sallyport/api/NamedRealm") {}

/** Lets in callers whose key has the level, and settles the realm of the call (decisions 1, 2, 4). */
export class TenantAccess extends HttpApiMiddleware.Service<TenantAccess, { provides: Caller | CurrentRealm }>()(
  "sallyport/api/TenantAccess",
  { error: WireErrors }
) {}

/** The same for calls of the account, which need no realm. */
export class AccountAccess extends HttpApiMiddleware.Service<AccountAccess, { provides: Caller | NamedRealm }>()(
  "sallyport/api/AccountAccess",
  { error: WireErrors }
) {}

/** Answers a POST that repeats an `Idempotency-Key` as the first time (decision 12). */
export class Idempotency extends HttpApiMiddleware.Service<Idempotency, { requires: Caller }>()(
  "sallyport/api/Idempotency",
  { error: WireErrors }
) {}

/** Turns every refusal into the standard error response, in the caller's language. */
export class Answer extends HttpApiMiddleware.Service<Answer>()("sallyport/api/Answer", { error: WireErrors }) {}

/** Lets callers into a group whose calls are inside a realm. */
export const requireTenantAccess = <Id extends string, Endpoints extends HttpApiEndpoint.Constraint>(
  group: HttpApiGroup.HttpApiGroup<Id, Endpoints>
) => group.middleware(Idempotency).middleware(TenantAccess).middleware(Answer)

/** Lets callers into a group whose calls are of the account. */
export const requireAccountAccess = <Id extends string, Endpoints extends HttpApiEndpoint.Constraint>(
  group: HttpApiGroup.HttpApiGroup<Id, Endpoints>
) => group.middleware(Idempotency).middleware(AccountAccess).middleware(Answer)
