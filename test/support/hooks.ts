import { defaultMails, eventTypeOfMail } from "#domain/DefaultMail"
import type { PostResponse } from "#platform/Outbound"
import type { Api, Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { clockedService } from "./sallyport.ts"

type Attributes = Readonly<Record<string, unknown>>

let destinations = 0

/** A destination that nobody else posts to. */
export const destination = (): string => `https://receiver-${++destinations}.example.test/hook`

/** Creates a webhook for these event types of a realm, by default for all. */
export const webhook = async (realm: GivenRealm, attributes: Attributes = {}): Promise<Reply> => {
  const hook = { realm_id: realm.id, event_type: [], destination: destination(), ...attributes }
  const made = await realm.post("/v2/hooks", { hook })
  if (made.status !== 201) throw new Error(`A preparation failed: ${made.status} ${made.text}`)
  return made
}

/** The paths of an event's notifications. */
export const notificationsOf = async (realm: GivenRealm, eventId: string): Promise<ReadonlyArray<Attributes>> => {
  const { body } = await realm.get(`/v2/events/${eventId}`)
  return Reflect.get(Object(body), "notifications")
}

/** An event with a pending notification: the ids of both. */
export const pendingNotification = async (realm: GivenRealm) => {
  const hook = await webhook(realm)
  const [event] = (await realm.get(`/v2/events?hook_id=${hook.id}`)).items
  const eventId = String(event?.["id"])
  return { hook, eventId, id: String((await notificationFor(realm, eventId, hook.id))["id"]) }
}

/** Hooks under the names of each version. */
export const hookVersions = [
  { version: "v1", path: "/v1/app_hooks", wrapper: "app_hook", named: "app_hook_id", title: "App hook" },
  { version: "v2", path: "/v2/hooks", wrapper: "hook", named: "hook_id", title: "Hook" }
] as const

/** Creates an email hook in a realm, by default for `user.updated`. */
export const emailHook = (realm: GivenRealm, attributes: Attributes = {}): Promise<Reply> =>
  webhook(realm, {
    hook_type: "email",
    event_type: ["user.updated"],
    destination: null,
    email_subject: "Changed",
    email_template: "Hello {{first_name}}",
    ...attributes
  })

/** The ids of a realm's default hooks, by the names of their emails, in creation order. */
export const defaultHooks = async (realm: GivenRealm): Promise<Readonly<Record<string, string>>> => {
  const { items } = await realm.get(`/v2/hooks?realm_id=${realm.id}&hook_type=email&max_results=50`)
  const named = items.flatMap(({ id, event_type }, place): ReadonlyArray<readonly [string, string]> => {
    const earlier = items.slice(0, place).filter((other) => String(other["event_type"]) === String(event_type))
    const ofType = defaultMails.filter((mail) => eventTypeOfMail(mail) === String(event_type))
    const mail = ofType[earlier.length]
    return mail === undefined ? [] : [[mail, String(id)]]
  })
  return Object.fromEntries(named)
}

/** The latest event of a realm, optionally of one type, and its notifications. */
export const latest = async (realm: GivenRealm, type = "") => {
  const query = `event_type=${type}&direction=desc&max_results=1`
  const eventId = String((await realm.get(`/v2/events?${query}`)).items[0]?.["id"])
  return { eventId, notifications: await notificationsOf(realm, eventId) }
}

/** The notification of an event for one hook. */
export const notificationFor = async (realm: GivenRealm, eventId: string, hookId: string) => {
  const found = (await notificationsOf(realm, eventId)).find(({ hook_id }) => hook_id === hookId)
  if (found === undefined) throw new Error(`No notification of ${eventId} for ${hookId}`)
  return found
}

/** A response of a receiver. */
export const receiverResponse = (status: number, excerpt = "", retryAfter?: string): PostResponse => ({
  status,
  retryAfter,
  excerpt
})

/** A realm of the service whose clock tests advance. */
export const turnedRealm = async (settings: Attributes = {}) => {
  const own = await clockedService()
  return { ...own, realm: await own.given.realm(settings), now: () => own.clock.currentTimeMillisUnsafe() / 1000 }
}

/** Creates an all-realms hook until `use` is done. It would also receive events of other tests. */
export const withAccountHook = async (root: Api, attributes: Attributes, use: (hook: Reply) => Promise<void>) => {
  const made = await root.post("/v2/hooks", { hook: { realm_id: null, destination: destination(), ...attributes } })
  if (made.status !== 201) throw new Error(`A preparation failed: ${made.status} ${made.text}`)
  try {
    await use(made)
  } finally {
    await root.delete(`/v2/hooks/${made.id}`)
  }
}
