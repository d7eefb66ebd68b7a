import { Effect, Layer } from "effect"
import { HttpApiBuilder, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import { Api } from "#api/Api"
import type {
  ClientApps,
  ConnectedAppBody,
  ConnectedAppItem,
  ConnectedAppPayload,
  LoginPolicies
} from "#api/apps/Endpoints"
import { ConnectedApps } from "#core/apps/ConnectedApps"
import type { ConnectedApp } from "#domain/ConnectedApp"
import type { ConnectedAppInput } from "#domain/ConnectedAppInput"
import type { Version } from "#domain/Event"
import { LoginDomains } from "#platform/LoginDomains"
import { words } from "../Errors.ts"
import { given, pageAsked, timeT } from "../WireMapping.ts"

const typed = (sent: ConnectedAppPayload): ConnectedAppInput =>
  given({
    state: sent.state,
    name: sent.name,
    subdomain: sent.subdomain,
    header: sent.header,
    footer: sent.footer,
    externalCss: sent.external_css,
    loginHandler: sent.login_handler,
    signupHandler: sent.signup_handler,
    redirectUris: sent.redirect_uris,
    signupMode: sent.signup_mode,
    requirePasswordConfirmation: sent.require_password_confirmation,
    requireNames: sent.require_names,
    requireOrgName: sent.require_org_name,
    allowJsonp: sent.allow_jsonp
  })

/** What a request of either version says. */
type Asked<Operation extends string> = Omit<
  HttpApiEndpoint.Request<HttpApiEndpoint.WithIdentifier<HttpApiGroup.Endpoints<typeof LoginPolicies>, Operation>>,
  "endpoint"
>
type AskedV2<Operation extends string> = Omit<
  HttpApiEndpoint.Request<HttpApiEndpoint.WithIdentifier<HttpApiGroup.Endpoints<typeof ClientApps>, Operation>>,
  "endpoint"
>

const operations = Effect.fnUntraced(function* (version: Version) {
  const apps = yield* ConnectedApps
  const domains = yield* LoginDomains
  const { RealmNotFound, Rejected } = words
  const ConnectedAppNotFound = version === "v1" ? words.LoginPolicyNotFound : words.ClientAppNotFound

  const item = (app: ConnectedApp): typeof ConnectedAppItem.Type => ({
    id: app.id,
    object: version === "v1" ? "login_policy" : "client_app",
    name: app.name,
    realm_id: app.realmId,
    subdomain: app.subdomain,
    domains: [domains.of(app.subdomain)]
  })

  const body = (app: ConnectedApp): typeof ConnectedAppBody.Type => ({
    ...item(app),
    state: app.state,
    header: app.header,
    footer: app.footer,
    external_css: app.externalCss,
    login_handler: app.loginHandler,
    signup_handler: app.signupHandler,
    redirect_uris: app.redirectUris,
    signup_mode: app.signupMode,
    require_password_confirmation: app.requirePasswordConfirmation,
    require_names: app.requireNames,
    require_org_name: app.requireOrgName,
    allow_jsonp: app.allowJsonp,
    created_at: timeT(app.createdAt)
  })

  return {
    list: ({ query }: Asked<"list">) =>
      apps.list(pageAsked(query, "name")).pipe(
        Effect.map(({ items, more }) => ({ collection: items.map(item), more_results: more })),
        Effect.catchTags({ ConnectedAppNotFound })
      ),
    get: ({ params }: Asked<"get">) =>
      apps.get(params.app_id).pipe(Effect.map(body), Effect.catchTags({ ConnectedAppNotFound })),
    create: (sent: ConnectedAppPayload) =>
      apps.create(version, typed(sent)).pipe(Effect.map(body), Effect.catchTags({ RealmNotFound, Rejected })),
    update: (id: string, sent: ConnectedAppPayload) =>
      apps
        .update(id, version, typed(sent))
        .pipe(Effect.map(body), Effect.catchTags({ ConnectedAppNotFound, RealmNotFound, Rejected })),
    delete: ({ params }: Asked<"delete">) =>
      apps.delete(params.app_id).pipe(Effect.catchTags({ ConnectedAppNotFound, RealmNotFound }))
  }
})

/** `/v1/login_policies`, `/v2/client_apps`. */
export const ConnectedAppsHandlers = Layer.mergeAll(
  HttpApiBuilder.group(Api, "v1.login_policies", (handlers) =>
    Effect.map(operations("v1"), (all) =>
      handlers.handleAll({
        ...all,
        create: ({ payload }: Asked<"create">) => all.create(payload.login_policy),
        update: ({ params, payload }: Asked<"update">) => all.update(params.app_id, payload.login_policy)
      })
    )
  ),
  HttpApiBuilder.group(Api, "v2.client_apps", (handlers) =>
    Effect.map(operations("v2"), (all) =>
      handlers.handleAll({
        ...all,
        create: ({ payload }: AskedV2<"create">) => all.create(payload.client_app),
        update: ({ params, payload }: AskedV2<"update">) => all.update(params.app_id, payload.client_app)
      })
    )
  )
)
