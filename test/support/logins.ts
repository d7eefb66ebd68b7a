import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { codeAt, newDevice } from "./credentials.ts"
import { query } from "./query.ts"
import { workerSql } from "./sallyport.ts"

/** A password that every realm accepts for every user. */
export const PASSWORD = "seven purple elephants"

/** A second accepted password. */
export const OTHER_PASSWORD = "eight yellow giraffes"

/** A verified TOTP device. */
export interface Device {
  readonly id: string
  /**
   * The device's code, `steps` of 30 seconds after a time in Unix milliseconds. Default: the time of the shared
   * service.
   */
  readonly code: (steps?: number, at?: number) => string
}

/** Enrolls a device. This uses up the code of the previous step, so the current and later codes are still unused. */
export const enrolled = async (realm: GivenRealm, userId: string, at = STARTS_AT): Promise<Device> => {
  const made = await newDevice(realm, userId)
  const secret = made.string("otp_secret")
  const code = (steps = 0, from = at) => codeAt(secret, from + steps * 30_000)
  const verified = await realm.post(`/v2/credentials/${made.id}/verify`, { credential: { code: code(-1) } })
  if (verified.status !== 200) throw new Error(`The device was not verified: ${verified.status} ${verified.text}`)
  return { id: made.id, code }
}

/** Logs in with a password under v2. */
export const authenticate = (realm: GivenRealm, user: string, password: unknown = PASSWORD, beside: object = {}) =>
  realm.post(`/v2/users/${user}/authenticate`, { user: { password }, ...beside })

/** Rejects logins with wrong passwords. With the default number, the user is then blocked. */
export const exhaustPasswords = async (realm: GivenRealm, user: string, times = 10) => {
  for (let n = 0; n < times; n += 1) {
    const { status } = await authenticate(realm, user, `guess ${n}`)
    if (status !== 422) throw new Error(`A wrong password got ${status}.`)
  }
}

/** Schedules the deletion of a user's account, as the user can do on the security page. */
export const scheduleDeletion = async (userId: string) => {
  const sql = await workerSql()
  await query(sql`update users set deletion_at = ${new Date(STARTS_AT + 86_400_000)} where id = ${userId}`)
}

/** Stores a device that a user trusts, as the user can do on the login page. */
export const storeTrustedDevice = async (realm: GivenRealm, userId: string) => {
  const sql = await workerSql()
  const [from, until] = [new Date(STARTS_AT), new Date(STARTS_AT + 86_400_000)]
  await query(sql`insert into trusted_devices (realm_id, id, user_id, created_at, expires_at)
    values (${realm.id}, ${userId}, ${userId}, ${from}, ${until})`)
}

/** Logs in with a password under v1. */
export const authenticateV1 = (realm: GivenRealm, user: string, password: unknown = PASSWORD, beside: object = {}) =>
  realm.post(`/v1/users/${user}/authenticate`, { password, ...beside })

/** Completes a login with a code under v2. */
export const complete = (realm: GivenRealm, token: unknown, code: unknown) =>
  realm.post("/v2/users/authenticate_token", { user: { token, code } })

/** Completes a login with a code under v1, for the user in the path. */
export const completeV1 = (realm: GivenRealm, user: string, token: unknown, code: unknown, beside: object = {}) =>
  realm.post(`/v1/users/${user}/authenticate_code`, { user: { token, code }, ...beside })

/** A code that a device doesn't show at or near this time. */
export const wrongCode = ({ code }: Device, at = STARTS_AT): string => {
  const near = [-2, -1, 0, 1, 2].map((steps) => code(steps, at))
  return ["000000", "111111", "222222", "333333", "444444", "555555"].find((one) => !near.includes(one)) ?? "666666"
}

/** An event of a user, in the form that tests compare. */
export const userEvent = (user: Reply, type: string) => ({ event_type: `user.${type}`, user_id: user.id })

/** Status and messages of a response. */
export const statusAndErrors = (reply: Reply) => [reply.status, reply.errors]

/** The messages for a body with these members of a user but without the `user` wrapper. */
export const missingWrapperErrors = (...members: ReadonlyArray<string>): ReadonlyArray<string> => [
  "The request body must contain an object named user.",
  ...members.map((member) => `Move ${member} inside user, as in {"user": {"${member}": …}}.`)
]
