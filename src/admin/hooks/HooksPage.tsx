import { useList } from "../calls/Reads.ts"
import { useScope } from "../calls/Scope.tsx"
import { serviceUrl } from "../calls/ServiceUrls.ts"
import { useSession } from "../session/SessionState.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { ButtonLink } from "../ui/Button.tsx"
import { Empty } from "../ui/Empty.tsx"
import { Listing } from "../ui/Listing.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { FailingText, HookState, useFailingHooks } from "./Failing.tsx"
import { hookTexts } from "./Texts.ts"

/** The path of the webhook pages, of one realm or of all realms. */
export const hooksPath = (realmId: string | undefined, ...parts: ReadonlyArray<string>): string =>
  realmId === undefined ? ["/hooks", ...parts].join("/") : pathIn(realmId, "hooks", ...parts)

/** An example command that creates a webhook. */
const example = (realmId: string) => `curl -X POST ${serviceUrl()}/v2/hooks \\
  -H "Authorization: Bearer $SALLYPORT_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"hook": {"realm_id": "${realmId}", "destination": "https://example.com/webhooks", "event_type": ["user.created"]}}'`

/** The webhooks of a realm, or of all realms. */
export const HooksPage = () => {
  const t = useTexts(hookTexts)
  const { realmId } = useScope()
  const { may } = useSession()
  const list = useList(["hooks", "webhook"], (sdk, page) => sdk.hooks.list({ ...page, hook_type: "webhook" }))
  const failing = useFailingHooks()
  const create = may("admin_realm") ? (
    <ButtonLink to={hooksPath(realmId, "new")} kind="primary">
      {t.create}
    </ButtonLink>
  ) : undefined
  return (
    <>
      <PageHeader title={t.hooks} lead={realmId === undefined ? t.leadAll : t.lead}>
        {create}
      </PageHeader>
      <Listing
        label={t.hooks}
        list={list}
        keyOf={({ id }) => id}
        to={({ id }) => hooksPath(realmId, id)}
        columns={[
          { name: t.destination, cell: (hook) => hook.destination ?? hook.id },
          {
            name: t.events,
            cell: ({ event_type }) =>
              event_type.length === 0
                ? t.allEvents
                : event_type.length <= 2
                  ? event_type.join(", ")
                  : t.chosen(event_type.length)
          },
          {
            name: t.state,
            cell: (hook) => {
              const problem = failing?.find(({ hook_id }) => hook_id === hook.id)
              return (
                <>
                  <HookState hook={hook} isFailing={problem !== undefined} />
                  {problem === undefined ? null : (
                    <span className="cell-detail">
                      {t.lastWeek} <FailingText hook={problem} />
                    </span>
                  )}
                </>
              )
            }
          }
        ]}
        empty={
          <Empty title={t.emptyTitle} action={create} example={example(realmId ?? "rl_…")}>
            <p>{t.emptyText}</p>
          </Empty>
        }
      />
    </>
  )
}
