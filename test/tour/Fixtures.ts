import { URI } from "otpauth"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"

/** Passwords that the default policy accepts. */
export const [PASSWORD, NEXT_PASSWORD] = ["seven purple elephants", "eight yellow giraffes"] as const

/** Throws unless a preparatory request succeeds. */
export const expectSuccess = async (asked: Promise<Reply>): Promise<Reply> => {
  const reply = await asked
  if (reply.status >= 300) throw new Error(`A preparation failed: ${reply.status} ${reply.text}`)
  return reply
}

/** The current code of a TOTP device, or the code of a later step. Each code is accepted once. */
export const totpCode = (device: Reply, steps = 0): string => {
  const totp = URI.parse(device.string("provisioning_uri"))
  return "secret" in totp && "period" in totp ? totp.generate({ timestamp: Date.now() + steps * 30_000 }) : ""
}

/** Creates an unverified TOTP device of a user. */
export const newTotpDevice = (realm: GivenRealm, user_id: string): Promise<Reply> =>
  expectSuccess(realm.post("/v2/credentials", { credential: { user_id, credential_type: "totp", name: "Phone" } }))

/** Creates a user with a verified TOTP device. Returns the next code. */
export const userWithTotp = async (realm: GivenRealm): Promise<{ readonly id: string; readonly code: string }> => {
  const { id } = await realm.user({ password: PASSWORD })
  const device = await newTotpDevice(realm, id)
  await expectSuccess(realm.post(`/v2/credentials/${device.id}/verify`, { credential: { code: totpCode(device) } }))
  return { id, code: totpCode(device, 1) }
}

/** Creates a webhook for all events of a realm, with a delay of an hour. */
export const delayedHook = (realm: GivenRealm, destination: string): Promise<Reply> =>
  expectSuccess(realm.post("/v2/hooks", { hook: { realm_id: realm.id, event_type: [], destination, delay: 3_600 } }))

/** The latest event of a realm and its notifications. */
export const latestEvent = async (realm: GivenRealm) => {
  const [event] = (await realm.get("/v2/events?direction=desc&max_results=1")).items
  const id = String(event?.["id"])
  const reply = await realm.get(`/v2/events/${id}`)
  return {
    id,
    notification: (n: number) => reply.string("notifications", n, "id"),
    hookOf: (n: number) => reply.string("notifications", n, "hook_id")
  }
}
