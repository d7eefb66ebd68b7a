import { useState } from "react"
import { Link } from "wouter"
import type { EventItem } from "#client/generated/types/EventItem"
import { useRealmId } from "../calls/Scope.tsx"
import { ApiKeyLink } from "../shell/ApiKeyLink.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { Button } from "../ui/Button.tsx"
import { Loading } from "../ui/Loading.tsx"
import { ProblemNote } from "../ui/ProblemNote.tsx"
import { Section } from "../ui/Section.tsx"
import { Time } from "../ui/Time.tsx"
import { needsMail, type Part, type Subject, useActivity } from "./Activity.ts"
import { browserOf } from "./Browser.ts"
import { Delivery, Webhooks } from "./Delivery.tsx"
import { toneOf, useEventTitle, useMemberList } from "./EventName.ts"
import { timelineTexts } from "./Texts.ts"

/** The time, changes, actor and origin of an event. */
const Details = ({ event }: { readonly event: EventItem }) => {
  const { actor, user_id, changed = [], reason, request, event_at } = event
  const t = useTexts(timelineTexts)
  const listOf = useMemberList()
  const who = actor.type === "user" && actor.id === user_id ? "self" : actor.type
  const where = [request.ip, request.client === null ? null : browserOf(request.client)].filter((one) => one !== null)
  const before = [
    changed.length === 0 ? "" : `${t.changed}: ${listOf(changed)}`,
    reason === undefined ? "" : t.reasons[reason]
  ]
  return (
    <p className="happening-detail">
      <Time at={event_at} isRelative />
      {[...before, t.by[who]].filter((one) => one !== "").map((one) => ` · ${one}`)}
      {actor.type !== "api_key" || actor.id === null ? null : (
        <>
          {" "}
          <ApiKeyLink id={actor.id} />
        </>
      )}
      {actor.email === undefined ? null : ` ${actor.email}`}
      {where.length === 0 ? null : ` · ${t.from} ${where.join(", ")}`}
    </p>
  )
}

/** Explains why an event that requests an email sent none. */
const Unsent = ({ event: { event_type, actor } }: { readonly event: EventItem }) => {
  const t = useTexts(timelineTexts)
  const realmId = useRealmId()
  if (event_type === "user.password.resetting" && actor.type === "api_key")
    return <p className="delivery">{t.byProgram}</p>
  return (
    <p className="delivery bad">
      <span>
        {t.noMail} <Link href={pathIn(realmId, "mails")}>{t.toTemplates}</Link>
      </span>
    </p>
  )
}

/** The other user or org involved in an event, besides the timeline's subject. */
const Other = ({ event: { user_id, org_id, display_names }, subject }: HappeningProps) => {
  const realmId = useRealmId()
  const [noun, id] = "user_id" in subject ? (["orgs", org_id] as const) : (["users", user_id] as const)
  if (id === undefined) return null
  return (
    <Link href={pathIn(realmId, noun, id)} title={id}>
      {display_names?.[id] ?? id}
    </Link>
  )
}

interface HappeningProps {
  readonly event: EventItem
  readonly subject: Subject
}

const Happening = ({ event, subject }: HappeningProps) => {
  const titleOf = useEventTitle()
  const realmId = useRealmId()
  const notifications = event.notifications ?? []
  const isUnsent = needsMail(event) && !notifications.some(({ hook_type }) => hook_type === "email")
  return (
    <li className={`happening ${toneOf(event.event_type)}`}>
      <div className="happening-line">
        <Link href={pathIn(realmId, "events", event.id)}>{titleOf(event)}</Link>
        <Other event={event} subject={subject} />
      </div>
      <Details event={event} />
      {notifications
        .filter(({ hook_type }) => hook_type === "email")
        .map((notification) => (
          <Delivery key={notification.id} event={event} notification={notification} />
        ))}
      <Webhooks event={event} />
      {isUnsent ? <Unsent event={event} /> : null}
    </li>
  )
}

const parts: ReadonlyArray<Part> = ["all", "mails", "logins", "changes"]

/** The activity of a user or org, newest first, with email and webhook deliveries. */
export const Timeline = ({ subject }: { readonly subject: Subject }) => {
  const t = useTexts(timelineTexts)
  const [part, setPart] = useState<Part>("all")
  const isUser = "user_id" in subject
  const { items, error, more, isLoadingMore, loadMore, reload } = useActivity(subject, part)
  const choice = (
    <select
      className="small"
      aria-label={t.show}
      value={part}
      onChange={(event) => setPart(parts.find((one) => one === event.target.value) ?? "all")}
    >
      {parts.map((one) => (
        <option key={one} value={one}>
          {t[one]}
        </option>
      ))}
    </select>
  )
  return (
    <Section title={t.title} lead={isUser ? t.lead : t.orgLead} actions={isUser ? choice : undefined}>
      <ProblemNote error={error} onRetry={reload} />
      {items === undefined ? (
        error === null ? (
          <Loading />
        ) : null
      ) : items.length === 0 ? (
        <p className="faint">{t.nothing}</p>
      ) : (
        <ol className="happenings">
          {items.map((event) => (
            <Happening key={event.id} event={event} subject={subject} />
          ))}
        </ol>
      )}
      {more ? (
        <div className="item-end">
          <Button small onClick={loadMore} pending={isLoadingMore}>
            {t.earlier}
          </Button>
        </div>
      ) : null}
    </Section>
  )
}
