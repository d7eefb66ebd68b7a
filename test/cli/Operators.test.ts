import { expect, test } from "vitest"
import { service } from "../support/sallyport.ts"
import { cli, serviceEnvironment } from "./Cli.ts"

const place = async () => {
  const { url, key } = await service()
  return { environment: serviceEnvironment({ url, key }) }
}

test("invites an operator, lists them, changes their role and removes them", async () => {
  const { environment } = await place()
  const email = "cli-ada@example.test"
  const invited = await cli(["operators", "invite", email, "--role", "support", "--no-email"], { environment })
  expect(invited).toMatchObject({ code: 0, err: "" })
  expect(invited.out).toMatch(/^Email: +cli-ada@example\.test\nRole: +support\nAccess: +all realms\nLink: +https:\S+$/m)
  expect(invited.out).toContain("No email was sent.")
  const listed = await cli(["operators", "list"], { environment })
  expect(listed.out.split("\n")[0]).toMatch(/^EMAIL +ROLE +ACCESS +STATE +LAST LOGIN +ID$/)
  expect(listed.out).toMatch(/^cli-ada@example\.test +support +all realms +invited +never +usr_\w+$/m)
  const changed = await cli(["operators", "role", email, "admin"], { environment })
  expect(changed).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^cli-ada@example\.test \(usr_\w+\) is now admin\.\n$/)
  })
  const removed = await cli(["operators", "remove", email.toUpperCase(), "--yes"], { environment })
  expect(removed).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^cli-ada@example\.test \(usr_\w+\) was removed\.\n$/)
  })
  expect((await cli(["operators", "list"], { environment })).out).not.toContain(email)
})

test("reports an unknown operator, an unknown role and a locked owner, and changes nothing", async () => {
  const { environment } = await place()
  const unknown = await cli(["operators", "remove", "nobody@example.test", "--yes"], { environment })
  expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining("There is no operator nobody@example.test.") })
  const role = await cli(["operators", "invite", "jo@example.test", "--role", "boss"], { environment })
  expect(role.code).not.toBe(0)
  const realm = await (await service()).given.realm()
  const args = ["operators", "invite", "jo@example.test", "--role", "owner", "--realm", realm.id]
  const locked = await cli(args, { environment })
  expect(locked).toMatchObject({ code: 1, err: expect.stringContaining("can't be owner") })
  expect((await cli(["operators", "list"], { environment })).out).not.toContain("jo@example.test")
})
