import { type ComponentType, lazy, Suspense } from "react"
import { Redirect, Route, Switch } from "wouter"
import { ScopeProvider } from "./calls/Scope.tsx"
import { useSession } from "./session/SessionState.tsx"
import { MissingPage } from "./shell/MissingPage.tsx"
import { pathIn } from "./shell/Paths.ts"
import { Shell } from "./shell/Shell.tsx"
import { Loading } from "./ui/Loading.tsx"

/** A page whose code is loaded when it is opened. Path parameters are passed as properties. */
const page = (load: () => Promise<ComponentType<Record<string, string>>>) =>
  lazy(async () => ({ default: await load() }))

/** Pages about all realms, by path. */
const accountPages = {
  "/realms": page(async () => (await import("./realms/RealmsPage.tsx")).RealmsPage),
  "/realms/new": page(async () => (await import("./realms/NewRealmPage.tsx")).NewRealmPage),
  "/api-keys": page(async () => (await import("./keys/ApiKeysPage.tsx")).ApiKeysPage),
  "/team": page(async () => (await import("./team/TeamPage.tsx")).TeamPage),
  "/hooks": page(async () => (await import("./hooks/HooksPage.tsx")).HooksPage),
  "/hooks/new": page(async () => (await import("./hooks/NewHookPage.tsx")).NewHookPage),
  "/hooks/:hookId": page(async () => (await import("./hooks/HookPage.tsx")).HookPage)
}

/** Pages of one realm, by path below the realm's. */
const realmPages = {
  "": page(async () => (await import("./overview/OverviewPage.tsx")).OverviewPage),
  "/users": page(async () => (await import("./users/UsersPage.tsx")).UsersPage),
  "/users/new": page(async () => (await import("./users/NewUserPage.tsx")).NewUserPage),
  "/users/import": page(async () => (await import("./users/ImportPage.tsx")).ImportPage),
  "/users/:userId": page(async () => (await import("./users/UserPage.tsx")).UserPage),
  "/orgs": page(async () => (await import("./orgs/OrgsPage.tsx")).OrgsPage),
  "/orgs/new": page(async () => (await import("./orgs/NewOrgPage.tsx")).NewOrgPage),
  "/orgs/:orgId": page(async () => (await import("./orgs/OrgPage.tsx")).OrgPage),
  "/invitations": page(async () => (await import("./invitations/InvitationsPage.tsx")).InvitationsPage),
  "/invitations/new": page(async () => (await import("./invitations/NewInvitationPage.tsx")).NewInvitationPage),
  "/apps": page(async () => (await import("./apps/AppsPage.tsx")).AppsPage),
  "/apps/new": page(async () => (await import("./apps/NewAppPage.tsx")).NewAppPage),
  "/apps/:appId": page(async () => (await import("./apps/AppPage.tsx")).AppPage),
  "/apps/:appId/appearance": page(async () => (await import("./apps/AppearancePage.tsx")).AppearancePage),
  "/clients": page(async () => (await import("./clients/ClientsPage.tsx")).ClientsPage),
  "/clients/new": page(async () => (await import("./clients/NewClientPage.tsx")).NewClientPage),
  "/clients/:clientId": page(async () => (await import("./clients/ClientPage.tsx")).ClientPage),
  "/clients/:clientId/settings": page(
    async () => (await import("./clients/ClientSettingsPage.tsx")).ClientSettingsPage
  ),
  "/clients/:clientId/grants": page(async () => (await import("./clients/ClientGrantsPage.tsx")).ClientGrantsPage),
  "/providers": page(async () => (await import("./providers/ProvidersPage.tsx")).ProvidersPage),
  "/providers/new": page(async () => (await import("./providers/NewProviderPage.tsx")).NewProviderPage),
  "/providers/:providerId": page(async () => (await import("./providers/ProviderPage.tsx")).ProviderPage),
  "/events": page(async () => (await import("./events/EventsPage.tsx")).EventsPage),
  "/events/:eventId": page(async () => (await import("./events/EventPage.tsx")).EventPage),
  "/hooks": page(async () => (await import("./hooks/HooksPage.tsx")).HooksPage),
  "/hooks/new": page(async () => (await import("./hooks/NewHookPage.tsx")).NewHookPage),
  "/hooks/:hookId": page(async () => (await import("./hooks/HookPage.tsx")).HookPage),
  "/mails": page(async () => (await import("./mails/MailsPage.tsx")).MailsPage),
  "/mails/new": page(async () => (await import("./mails/NewMailPage.tsx")).NewMailPage),
  "/mails/:hookId": page(async () => (await import("./mails/MailPage.tsx")).MailPage),
  "/settings": page(async () => (await import("./realms/SettingsPage.tsx")).SettingsPage),
  "/limits": page(async () => (await import("./realms/LimitsPage.tsx")).LimitsPage),
  "/jwt-keys": page(async () => (await import("./keys/JwtKeysPage.tsx")).JwtKeysPage),
  "/api-keys": page(async () => (await import("./keys/ApiKeysPage.tsx")).ApiKeysPage),
  "/mailbox": page(async () => (await import("./mailbox/MailboxPage.tsx")).MailboxPage),
  "/mailbox/:messageId": page(async () => (await import("./mailbox/MessagePage.tsx")).MessagePage),
  "/clock": page(async () => (await import("./mailbox/ClockPage.tsx")).ClockPage)
}

/** The realm ID in a path, if any. The router has already decoded the path. */
const realmOf = (path: string | undefined): string | undefined => {
  const [, realmId] = /^realms\/([^/]+)/.exec(path ?? "") ?? []
  return realmId === "new" ? undefined : realmId
}

const PageSwitch = ({
  below,
  pages
}: {
  readonly below: string
  readonly pages: Record<string, ComponentType<Record<string, string>>>
}) => (
  <Suspense fallback={<Loading />}>
    <Switch>
      {Object.entries(pages).map(([path, Page]) => (
        <Route key={path} path={`${below}${path}`}>
          {(params) => <Page {...Object.fromEntries(Object.entries(params).filter(([name]) => /^\D/.test(name)))} />}
        </Route>
      ))}
      <Route>
        <MissingPage />
      </Route>
    </Switch>
  </Suspense>
)

/** The routes of all pages, inside the console's frame. */
export const Pages = () => {
  const { session } = useSession()
  const home = session.realm_id === null ? "/realms" : pathIn(session.realm_id)
  return (
    <Route path="/*?">
      {({ "*": path }) => {
        if (path === undefined || path === "") return <Redirect to={home} replace />
        const realmId = realmOf(path)
        return (
          <ScopeProvider realmId={realmId}>
            <Shell>
              {realmId === undefined ? (
                <PageSwitch below="" pages={accountPages} />
              ) : (
                <PageSwitch below="/realms/:realmId" pages={realmPages} />
              )}
            </Shell>
          </ScopeProvider>
        )
      }}
    </Route>
  )
}
