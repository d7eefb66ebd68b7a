import { Effect } from "effect"
import { Api } from "#api/Api"
import type { ConnectedAppPayload } from "#api/apps/Fields"
import { Apps } from "#core/apps/Apps"
import { LoginApps } from "#core/oauth/LoginApps"
import type { App, AppWithSecret, ListedApp } from "#domain/App"
import { logoMembers } from "#domain/Appearance"
import type { Version } from "#domain/Event"
import { LoginDomains } from "#platform/LoginDomains"
import type { EndpointRequest } from "../EndpointRequest.ts"
import { wireErrors } from "../Errors.ts"
import { handlerGroup } from "../RequestServices.ts"
import { linkedBody, requestedPage } from "../WireMapping.ts"
import { appBody, appItem, bodyWithSecret, brandBody } from "./Bodies.ts"
import { appInput } from "./Requests.ts"

type Request<Operation extends string> = EndpointRequest<"v2.client_apps", Operation>

/** The operations on connected apps. The two versions differ only in names. */
const makeHandlers = Effect.fnUntraced(function* (version: Version) {
  const apps = yield* Apps
  const domains = yield* LoginDomains
  const loginApps = yield* LoginApps
  const { RealmNotFound, Rejected, RenderingBusy } = wireErrors
  const ConnectedAppNotFound = version === "v1" ? wireErrors.LoginPolicyNotFound : wireErrors.ClientAppNotFound
  const naming = { version, domains }
  const item = (app: ListedApp) => appItem(app, naming)

  /** Adds the subdomain of the login pages if the app is an OAuth client with a logo. */
  const namingOf = Effect.fnUntraced(function* (app: App) {
    const hasLogo = logoMembers.some((member) => app.appearance[member] !== null)
    if (app.clientType === "standard" || !hasLogo) return naming
    return { ...naming, loginSubdomain: (yield* loginApps.find(app))?.subdomain }
  })
  const body = (app: App) => Effect.map(namingOf(app), (naming) => appBody(app, naming))
  const secretBody = (found: AppWithSecret) =>
    Effect.map(namingOf(found.app), (naming) => bodyWithSecret(found, naming))

  return {
    list: ({ query }: Request<"list">) =>
      apps
        .list(requestedPage(query, "name"))
        .pipe(Effect.flatMap(linkedBody(item)), Effect.catchTags({ ConnectedAppNotFound })),
    get: ({ params }: Request<"get">) =>
      apps.get(params.app_id).pipe(Effect.flatMap(body), Effect.catchTags({ ConnectedAppNotFound })),
    brand: ({ params }: Request<"brand">) =>
      apps.brand(params.app_id).pipe(Effect.map(brandBody), Effect.catchTags({ ConnectedAppNotFound })),
    create: (sent: ConnectedAppPayload) =>
      apps
        .create(version, appInput(sent))
        .pipe(Effect.flatMap(secretBody), Effect.catchTags({ RealmNotFound, Rejected, RenderingBusy })),
    update: (id: string, sent: ConnectedAppPayload) =>
      apps
        .update(id, version, appInput(sent))
        .pipe(Effect.flatMap(body), Effect.catchTags({ ConnectedAppNotFound, RealmNotFound, Rejected, RenderingBusy })),
    rotateSecret: ({ params }: Request<"rotateSecret">) =>
      apps
        .rotateSecret(params.app_id)
        .pipe(Effect.flatMap(secretBody), Effect.catchTags({ ConnectedAppNotFound, RealmNotFound, Rejected })),
    delete: ({ params }: Request<"delete">) =>
      apps.delete(params.app_id).pipe(Effect.catchTags({ ConnectedAppNotFound, RealmNotFound }))
  }
})

/** `/v1/login_policies` */
export const ConnectedAppsHandlersV1 = handlerGroup(Api, "v1.login_policies", (group) =>
  Effect.map(makeHandlers("v1"), ({ brand: _, ...all }) =>
    group.handleAll({
      ...all,
      create: ({ payload }) => all.create(payload.login_policy),
      update: ({ params, payload }) => all.update(params.app_id, payload.login_policy)
    })
  )
)

/** `/v2/client_apps` */
export const ConnectedAppsHandlersV2 = handlerGroup(Api, "v2.client_apps", (group) =>
  Effect.map(makeHandlers("v2"), (all) =>
    group.handleAll({
      ...all,
      create: ({ payload }) => all.create(payload.client_app),
      update: ({ params, payload }) => all.update(params.app_id, payload.client_app)
    })
  )
)
