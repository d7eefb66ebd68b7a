import { Link } from "wouter"
import { isMissing } from "../calls/Problems.ts"
import { useRead } from "../calls/Reads.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { MissingPage } from "../shell/MissingPage.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { Code, CodeBlock } from "../ui/Copy.tsx"
import { Loading } from "../ui/Loading.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { ProblemNote } from "../ui/ProblemNote.tsx"
import { Facts, Section } from "../ui/Section.tsx"
import { Time } from "../ui/Time.tsx"
import { DeliveryActions, DeliveryFacts } from "./Deliveries.tsx"
import { Actor, Subject } from "./Subject.tsx"
import { eventTexts } from "./Texts.ts"

/** The polling interval while deliveries are pending, in milliseconds. */
const REFRESH = 3_000

/** An event with its webhook and email deliveries. */
export const EventPage = ({ eventId = "" }: { readonly eventId?: string }) => {
  const t = useTexts(eventTexts)
  const realmId = useRealmId()
  const {
    data: event,
    error,
    refetch
  } = useRead(["events", eventId], (sdk) => sdk.events.get(eventId, { expand: "notifications" }), { every: REFRESH })
  if (isMissing(error)) return <MissingPage />
  if (event === undefined)
    return error === null ? <Loading /> : <ProblemNote error={error} onRetry={() => void refetch()} />
  const keyId = event.actor.type === "api_key" ? event.actor.id : null
  return (
    <>
      <PageHeader title={event.event_type} above={[{ text: t.events, to: pathIn(realmId, "events") }]} />
      <Section title={t.details}>
        <Facts
          facts={[
            ["ID", <Code key="id" text={event.id} label="ID" />],
            [t.time, <Time key="time" at={event.event_at} />],
            [t.about, <Subject key="about" event={event} />],
            [t.actor, <Actor key="actor" actor={event.actor} />],
            [t.keyId, keyId === null ? undefined : <Code key="key" text={keyId} label={t.keyId} />],
            [t.changed, event.changed === undefined ? undefined : event.changed.join(", ")],
            [t.reason, event.reason],
            [t.ip, event.request.ip ?? undefined],
            [t.client, event.request.client ?? undefined]
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
      <Section title={t.fullEvent}>
        <CodeBlock text={JSON.stringify(event, null, 2)} label={t.fullEvent} />
      </Section>
    </>
  )
}
