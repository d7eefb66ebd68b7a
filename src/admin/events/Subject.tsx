import { Link } from "wouter"
import type { EventActor } from "#client/generated/types/EventActor"
import { useRealmId } from "../calls/Scope.tsx"
import { ApiKeyLink } from "../shell/ApiKeyLink.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useTexts } from "../texts/Language.tsx"
import { eventTexts } from "./Texts.ts"

/** The members of an event that identify its subject. */
interface Subjects {
  readonly user_id?: string
  readonly org_id?: string
  readonly invitation_id?: string
  readonly session_id?: string
  readonly auth_provider_id?: string
  readonly hook_id?: string
  readonly client_app_id?: string
  readonly api_key_id?: string
}

/** The subject of an event, linked if it has a page. */
export const Subject = ({ event }: { readonly event: Subjects }) => {
  const realmId = useRealmId()
  const links = [
    ["users", event.user_id],
    ["orgs", event.org_id],
    ["hooks", event.hook_id],
    ["providers", event.auth_provider_id],
    ["apps", event.client_app_id]
  ] as const
  const named = links.filter(([, id]) => id !== undefined)
  const plain = event.invitation_id ?? event.session_id
  if (event.api_key_id !== undefined) return <ApiKeyLink id={event.api_key_id} />
  if (named.length === 0) return plain === undefined ? "–" : <code>{plain}</code>
  return (
    <span className="row">
      {named.map(([noun, id]) =>
        id === undefined ? null : (
          <Link key={id} href={pathIn(realmId, noun, id)}>
            <code>{id}</code>
          </Link>
        )
      )}
    </span>
  )
}

/** The actor that caused an event. */
export const Actor = ({ actor }: { readonly actor: EventActor }) => {
  const t = useTexts(eventTexts)
  const realmId = useRealmId()
  if (actor.id === null) return t.actors[actor.type]
  if (actor.type === "user")
    return (
      <Link href={pathIn(realmId, "users", actor.id)}>
        <code>{actor.id}</code>
      </Link>
    )
  return (
    <>
      {t.actors[actor.type]} {actor.type === "api_key" ? <ApiKeyLink id={actor.id} /> : <code>{actor.id}</code>}
    </>
  )
}
