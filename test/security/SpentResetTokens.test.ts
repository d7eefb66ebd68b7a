import { expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { userEvent as event, OTHER_PASSWORD, PASSWORD, statusAndErrors } from "../support/logins.ts"
import { ownService } from "../support/sallyport.ts"
import { latestEventToken, passwordToken, reset, UNUSABLE } from "../support/tokens.ts"

const responseWithoutId = ({ status, text }: Reply) => [status, text.replace(/"req_\w+"/, '"req_"')]

test("SEC-247: a used or expired reset token is recorded for its user, but gets the response for unknown tokens", () =>
  ownService(async ({ given, clock }) => {
    const realm = await given.realm()
    const user = await realm.user({ password: PASSWORD })
    const unknown = await realm.seen.during(() => reset(realm, `tpw:${"x".repeat(43)}`))
    expect([...statusAndErrors(unknown.result), unknown.events]).toEqual([...UNUSABLE, []])
    const again = async (token: string, name: string) => {
      const { result, events } = await realm.seen.during(() => reset(realm, token))
      const failed = [event(user, "password_token.failed")]
      expect([name, responseWithoutId(result), events]).toEqual([name, responseWithoutId(unknown.result), failed])
    }
    const expired = await passwordToken(realm, user.id)
    clock.advance("3600 seconds")
    const used = await passwordToken(realm, user.id)
    await again(expired, "expired, after another one was issued")
    expect((await reset(realm, used)).status).toBe(200)
    await again(used, "used")
    const { status } = await realm.put(`/v2/users/${user.id}`, { user: { password: OTHER_PASSWORD } })
    expect(status).toBe(200)
    await again(used, "used, after another change of the password")
    expect(await latestEventToken(realm, "user.password.resetting")).toBeNull()
    clock.advance("3600 seconds")
    await again(used, "used, and expired since")
  }))
