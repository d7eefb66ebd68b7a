import { expect, test } from "vitest"
import { receiverResponse, webhook } from "../support/hooks.ts"
import { clockedService } from "../support/sallyport.ts"
import { cli, serviceEnvironment } from "./Cli.ts"

test("lists failed deliveries and logins, newest first", async () => {
  const { url, key, given, receiver, advance } = await clockedService()
  const realm = await given.realm()
  const logs = async (...words: ReadonlyArray<string>) => {
    const environment = serviceEnvironment({ url, key })
    const ended = await cli(["logs", "--realm", realm.id, ...words], { environment })
    return { ...ended, err: ended.err.replace(/^Warning: .*\n/, "") }
  }
  expect(await logs()).toEqual({ code: 0, out: "No failures found.\n", err: "" })
  const hook = await webhook(realm, { event_type: ["org.created"] })
  const destination = hook.string("destination")
  receiver.answer(destination, () => receiverResponse(500, "out of order"))
  await realm.org()
  const [created] = (await realm.get("/v2/events?event_type=org.created")).items
  await advance("3 days")
  const user = await realm.user({ password: "correct horse battery" })
  await realm.post(`/v2/users/${user.id}/authenticate`, { user: { password: "wrong" } })

  const { code, out } = await logs()
  const [header = "", ...rows] = out.trim().split("\n")
  expect([code, header.split(/ +/)]).toEqual([0, ["TIME", "WHAT", "ABOUT", "DETAILS"]])
  expect(rows.map((row) => row.split(/ {2,}/).slice(1))).toEqual([
    ["user.login.failed", user.id, "wrong_password"],
    ["webhook failed", created?.id, `org.created to ${destination}: HTTP 500`]
  ])
  const first = await logs("--limit", "1")
  expect(first.out.trim().split("\n")).toHaveLength(2)
  expect(first.err).toBe("There are more failures. Use --limit to show more than 1.\n")
  const all: ReadonlyArray<{ readonly object: string }> = JSON.parse((await logs("--json")).out)
  expect(all.map(({ object }) => object)).toEqual(["event", "notification"])
  expect(await logs("--since", "2099-01-01")).toMatchObject({ out: "No failures found.\n" })
  expect(await logs("--since", "later")).toMatchObject({ code: 2 })
})
