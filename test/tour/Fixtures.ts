import { URI } from "otpauth"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"

/** Passwords that every realm takes. */
export const [PASSWORD, NEXT_PASSWORD] = ["seven purple elephants", "eight yellow giraffes"] as const

/** Asks for something on the way to a visit, and demands to get it. */
export const had = async (asked: Promise<Reply>): Promise<Reply> => {
  const reply = await asked
  if (reply.status >= 300) throw new Error(`A preparation failed: ${reply.status} ${reply.text}`)
  return reply
}

/** The code of a new TOTP device, now or one step later: each is good once. */
export const codeOf = (device: Reply, steps = 0): string => {
  const totp = URI.parse(device.string("provisioning_uri"))
  return "secret" in totp && "period" in totp ? totp.generate({ timestamp: Date.now() + steps * 30_000 }) : ""
}

/** A TOTP device of a user, not verified yet. */
export const newDevice = (realm: GivenRealm, user_id: string): Promise<Reply> =>
  had(realm.post("/v2/credentials", { credential: { user_id, credential_type: "totp", name: "Phone" } }))

/** A user who gives a code at each login, and the next code. */
export const guarded = async (realm: GivenRealm): Promise<{ readonly id: string; readonly code: string }> => {
  const { id } = await realm.user({ password: PASSWORD })
  const device = await newDevice(realm, id)
  await had(realm.post(`/v2/credentials/${device.id}/verify`, { credential: { code: codeOf(device) } }))
  return { id, code: codeOf(device, 1) }
}

/** A webhook that hears all of a realm but waits for long before it tells. */
export const slowHook = (realm: GivenRealm, destination: string): Promise<Reply> =>
  had(realm.post("/v2/hooks", { hook: { realm_id: realm.id, event_type: [], destination, delay: 3_600 } }))

/** The latest event of a realm, and its notifications. */
export const latestEvent = async (realm: GivenRealm) => {
  const [event] = (await realm.get("/v2/events?direction=desc&max_results=1")).items
  const id = String(event?.["id"])
  const reply = await realm.get(`/v2/events/${id}`)
  return { id, notification: (n: number) => reply.string("notifications", n, "id") }
}
