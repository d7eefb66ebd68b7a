import { Link } from "wouter"
import type { EventItem } from "#client/generated/types/EventItem"
import { useRealmId } from "../calls/Scope.tsx"
import { useKeyNames } from "../session/ReadableKey.ts"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { browserOf } from "../timeline/Browser.ts"
import { eventTexts } from "./Texts.ts"

/** The members of an event that name its resources, actor and origin. */
type Named = Pick<
  EventItem,
  | "user_id"
  | "org_id"
  | "invitation_id"
  | "session_id"
  | "auth_provider_id"
  | "hook_id"
  | "client_app_id"
  | "api_key_id"
  | "actor"
  | "names"
  | "request"
  | "display_names"
>

/** A resource's name, or its ID if it is deleted. Hovering shows the ID. */
const NameLink = ({
  id,
  name,
  to
}: {
  readonly id: string
  readonly name: string | undefined
  readonly to: string
}) => (
  <Link href={to} title={id}>
    {name ?? <code>{id}</code>}
  </Link>
)

/** The subject of an event, linked if it has a page. */
export const Subject = ({ event }: { readonly event: Named }) => {
  const t = useTexts(eventTexts)
  const realmId = useRealmId()
  const nameOf = (id: string) => event.display_names?.[id]
  const { user_id, invitation_id, session_id, names } = event
  const links = [
    ["users", user_id],
    ["orgs", event.org_id],
    ["hooks", event.hook_id],
    ["providers", event.auth_provider_id],
    ["apps", event.client_app_id]
  ] as const
  const linked = links.flatMap(([noun, id]) => (id === undefined ? [] : [{ id, to: pathIn(realmId, noun, id) }]))
  if (event.api_key_id !== undefined) return <KeyName id={event.api_key_id} names={event.display_names} />
  if (names !== undefined && names.length > 0)
    return <span title={t.typedNames}>{names.map((name) => `“${name}”`).join(", ")}</span>
  if (linked.length > 0)
    return (
      <span className="names">
        {linked.map(({ id, to }) => (
          <NameLink key={id} id={id} name={nameOf(id)} to={to} />
        ))}
      </span>
    )
  if (invitation_id !== undefined)
    return <span title={invitation_id}>{nameOf(invitation_id) ?? <code>{invitation_id}</code>}</span>
  return session_id === undefined ? "–" : <code>{session_id}</code>
}

/** An API key's name, linked if it belongs to the realm, or its ID if it is deleted or not accessible. */
const KeyName = ({ id, names }: { readonly id: string; readonly names: EventItem["display_names"] }) => {
  const realmId = useRealmId()
  const nameOf = useKeyNames()
  const name = names?.[id]
  const shown = name === "root" ? nameOf({ name, level: "admin_all_realms", realm_id: null }) : name
  if (name === undefined) return <code title={id}>{id}</code>
  return name === "root" ? (
    <span title={id}>{shown}</span>
  ) : (
    <Link href={`${pathIn(realmId, "api-keys")}?id=${encodeURIComponent(id)}`} title={id}>
      {shown}
    </Link>
  )
}

/** The actor that caused an event. */
export const Actor = ({ event }: { readonly event: Named }) => {
  const t = useTexts(eventTexts)
  const realmId = useRealmId()
  const { actor, user_id } = event
  const { id, type } = actor
  const name = id === null ? undefined : event.display_names?.[id]
  if (id === null) return t.actors[type]
  if (actor.email !== undefined)
    return (
      <span className="email" title={`${actor.email} (${id})`}>
        <span>{actor.email}</span>
      </span>
    )
  if (type === "user")
    return id === user_id ? (
      <span className="faint" title={id}>
        {t.self}
      </span>
    ) : (
      <NameLink id={id} name={name} to={pathIn(realmId, "users", id)} />
    )
  if (type === "api_key") return <KeyName id={id} names={event.display_names} />
  if (type === "client_app")
    return (
      <>
        {t.actors[type]}
        <span className="cell-detail">
          <NameLink id={id} name={name} to={pathIn(realmId, "apps", id)} />
        </span>
      </>
    )
  return <span title={id}>{t.actors[type]}</span>
}

/** The IP address and the browser of an event's request. The address links to its other events. */
export const Origin = ({ event: { request } }: { readonly event: Named }) => {
  const t = useTexts(eventTexts)
  const realmId = useRealmId()
  if (request.ip === null && request.client === null) return <span className="faint">–</span>
  return (
    <>
      {request.ip === null ? null : (
        <Link href={`${pathIn(realmId, "events")}?request_ip=${encodeURIComponent(request.ip)}`} title={t.sameAddress}>
          {request.ip}
        </Link>
      )}
      {request.client === null ? null : (
        <span className="cell-detail" title={request.client}>
          {browserOf(request.client)}
        </span>
      )}
    </>
  )
}
