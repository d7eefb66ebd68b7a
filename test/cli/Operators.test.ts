import { expect, test } from "vitest"
import { loggedInOperator, rootOf } from "../support/operators.ts"
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

test("SEC-303: names the API keys that a removed operator created, and deletes them with --delete-keys", async () => {
  const { environment } = await place()
  const own = await service()
  const operatorWithKey = async () => {
    const operator = await loggedInOperator(own, "owner")
    const body = { api_key: { name: "deploy", level: "admin_all_realms" } }
    const key = await operator.page.call("POST", "/console/api/v2/api_keys", { body })
    return { email: operator.email, keyId: key.id }
  }
  // The last owner can't be removed.
  await loggedInOperator(own, "owner")
  const [kept, deleted] = [await operatorWithKey(), await operatorWithKey()]
  const asked = await cli(["operators", "remove", kept.email], { environment })
  expect(asked.err).toContain("1 API key that they created will continue to work. Use --delete-keys to delete it:")
  expect(asked.err).toContain(`deploy (admin_all_realms, ${kept.keyId})`)
  const removed = await cli(["operators", "remove", kept.email, "--yes"], { environment })
  expect(removed).toMatchObject({ code: 0, out: expect.stringContaining("1 API key that they created still works.") })
  const both = await cli(["operators", "remove", deleted.email, "--delete-keys", "--yes"], { environment })
  expect(both).toMatchObject({ code: 0, out: expect.stringMatching(/was removed\. 1 API key deleted\.\n$/) })
  const root = rootOf(own)
  expect((await root.get(`/v2/api_keys/${kept.keyId}`)).status).toBe(200)
  expect((await root.get(`/v2/api_keys/${deleted.keyId}`)).status).toBe(404)
})
