import { useState } from "react"
import { Link } from "wouter"
import type { EventWithNotifications } from "#client/generated/types/EventWithNotifications"
import { isMissing } from "../calls/Problems.ts"
import { useRead } from "../calls/Reads.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { MissingPage } from "../shell/MissingPage.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { toneOf, useEventTitle, useMemberList } from "../timeline/EventName.ts"
import { timelineTexts } from "../timeline/Texts.ts"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Code, CodeBlock } from "../ui/Copy.tsx"
import { Loading } from "../ui/Loading.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { ProblemNote } from "../ui/ProblemNote.tsx"
import { Facts, Section } from "../ui/Section.tsx"
import { Time } from "../ui/Time.tsx"
import { DeliveryActions, DeliveryFacts } from "./Deliveries.tsx"
import { Actor, Origin, Subject } from "./Subject.tsx"
import { eventTexts } from "./Texts.ts"

/** Members that repeat another one under its name in version 1 of the API, and the page's own realm. */
const sameMembers: ReadonlySet<string> = new Set(["app_hook_id", "login_policy_id", "realm_id"])

/** The polling interval while deliveries are pending, in milliseconds. */
const REFRESH = 3_000

/** The IDs of an event's resources and actor, with the names of their members. */
const idsIn = ({ actor, ...event }: EventWithNotifications): ReadonlyArray<readonly [string, string]> => [
  ...Object.entries(event).flatMap(([name, value]) =>
    typeof value === "string" && name.endsWith("_id") && !sameMembers.has(name) ? [[name, value] as const] : []
  ),
  ...(actor.id === null ? [] : [["actor.id", actor.id] as const])
]

/** The event as the API returns it. A token that still works is shown only on request. */
const FullEvent = ({ event }: { readonly event: EventWithNotifications }) => {
  const t = useTexts(eventTexts)
  const [isShown, setShown] = useState(false)
  const hasToken = typeof event.token === "string"
  const shown = hasToken && !isShown ? { ...event, token: "••••••••" } : event
  const toggle = (
    <Button small onClick={() => setShown(!isShown)}>
      {isShown ? t.hideToken : t.showToken}
    </Button>
  )
  return (
    <Section title={t.fullEvent} actions={hasToken ? toggle : undefined}>
      <CodeBlock text={JSON.stringify(shown, null, 2)} label={t.fullEvent} />
    </Section>
  )
}

/** An event with its webhook and email deliveries. */
export const EventPage = ({ eventId = "" }: { readonly eventId?: string }) => {
  const t = useTexts(eventTexts)
  const { reasons } = useTexts(timelineTexts)
  const titleOf = useEventTitle()
  const listOf = useMemberList()
  const realmId = useRealmId()
  const {
    data: event,
    error,
    refetch
  } = useRead(["events", eventId], (sdk) => sdk.events.get(eventId, { expand: ["notifications", "display_names"] }), {
    every: REFRESH
  })
  if (isMissing(error)) return <MissingPage />
  if (event === undefined)
    return error === null ? <Loading /> : <ProblemNote error={error} onRetry={() => void refetch()} />
  return (
    <>
      <PageHeader
        title={titleOf(event)}
        above={[{ text: t.events, to: pathIn(realmId, "events") }]}
        {...(toneOf(event.event_type) === "bad" ? { beside: <Badge tone="bad">{t.results.failed}</Badge> } : {})}
        lead={<Code text={event.event_type} label={t.type} />}
      />
      <Section title={t.details}>
        <Facts
          facts={[
            [t.time, <Time key="time" at={event.event_at} hasSeconds />],
            [t.reason, event.reason === undefined ? undefined : reasons[event.reason]],
            [t.attemptCount, event.attempts],
            [t.about, <Subject key="about" event={event} />],
            [t.actor, <Actor key="actor" event={event} />],
            [t.changed, event.changed === undefined ? undefined : listOf(event.changed)],
            [t.origin, <Origin key="origin" event={event} />],
            ["ID", <Code key="id" text={event.id} label={t.copyId} />],
            ...idsIn(event).map(([name, id]) => [name, <Code key={name} text={id} label={name} />] as const)
          ]}
        />
      </Section>
      <Section title={t.deliveries}>
        {event.notifications.length === 0 ? <p className="faint">{t.noDeliveries}</p> : null}
        <div className="stack">
          {event.notifications.map((delivery) => (
            <div key={delivery.id} className="stack">
              <DeliveryFacts delivery={delivery} />
              <div className="row">
                <DeliveryActions eventId={event.id} delivery={delivery} />
                <Link href={pathIn(realmId, delivery.hook_type === "email" ? "mails" : "hooks", delivery.hook_id)}>
                  <code>{delivery.hook_id}</code>
                </Link>
              </div>
            </div>
          ))}
        </div>
      </Section>
      <FullEvent event={event} />
    </>
  )
}
