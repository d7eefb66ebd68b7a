import { describe, expect, test } from "vitest"
import { Api, type Reply } from "#testing/Api"
import { emailHook, hookVersions, latest, notificationFor, turnedRealm } from "../support/hooks.ts"
import { query } from "../support/query.ts"
import { service } from "../support/sallyport.ts"

const LENGTH = 16_384

const fill = (part: string) => part.repeat(Math.floor(LENGTH / part.length))

/** Templates that used to block a thread for up to seven seconds. */
const slow = [
  ["markdown", fill("*a_")],
  ["markdown", fill("_a*")],
  ["markdown", fill("a\n-\n")],
  ["markdown", `${fill("- - ").slice(0, 8_000)}x`],
  ["markdown", fill("1. ")],
  ["html+text", fill("<a href={{url}}>{{full_name}}")]
] as const

const sentences = {
  slow: "Email template takes too long to render. Make it shorter or simpler.",
  nested: "Email template is nested too deeply.",
  long: "Email template can produce an email larger than 256 KiB. Make it shorter."
}

const errorOf = ({ status, body }: Reply) => {
  const [first] = Object(Reflect.get(Object(body), "error_details"))
  return { status, errors: Reflect.get(Object(body), "errors"), field: first?.field, code: first?.code }
}

const refusedAs = (why: keyof typeof sentences) => ({
  status: 422,
  errors: [sentences[why]],
  field: "email_template",
  code: { slow: "template_slow", nested: "template_nested", long: "template_mail_long" }[why]
})

const mailHook = { hook_type: "email", event_type: ["user.updated"], email_subject: "Hi" }

/** Both versions run the same check, so one template per renderer is enough for v1. */
const slowIn = { v1: slow.slice(-2), v2: slow }

describe.each(hookVersions)("SEC-83: a template in $version", ({ version, path, wrapper }) => {
  test.each(
    slowIn[version]
  )("is rejected with 422 and not stored if it renders too slowly as %s", async (email_renderer, email_template) => {
    const realm = await (await service()).given.realm()
    const before = (await realm.get(`${path}?hook_type=email&max_results=100`)).items.length
    const { result, events } = await realm.seen.during(() =>
      realm.post(path, { [wrapper]: { ...mailHook, realm_id: realm.id, email_renderer, email_template } })
    )
    // A slow template may also be reported as nested too deeply or too long.
    expect([refusedAs("slow"), refusedAs("nested"), refusedAs("long")]).toContainEqual(errorOf(result))
    expect(events).toEqual([])
    expect((await realm.get(`${path}?hook_type=email&max_results=100`)).items.length).toBe(before)
  })

  test("is checked again when the template or its renderer changes", async () => {
    const realm = await (await service()).given.realm()
    const created = await emailHook(realm, { email_renderer: "text", email_template: fill("*a_") })
    const change = (attributes: object) => realm.put(`${path}/${created.id}`, { [wrapper]: attributes })
    const events = await realm.seen.caused(async () => {
      expect(errorOf(await change({ email_renderer: "markdown" }))).toEqual(refusedAs("slow"))
      expect(errorOf(await change({ email_renderer: "html+text", email_template: "<b>".repeat(5_000) }))).toEqual(
        refusedAs("nested")
      )
      expect(errorOf(await change({ email_template: fill("{{full_name}}") }))).toEqual(refusedAs("long"))
    })
    expect(events).toEqual([])
    const { body } = await realm.get(`${path}/${created.id}`)
    expect(body).toMatchObject({ email_renderer: "text", email_template: fill("*a_") })
    const changed = await realm.seen.during(() => change({ email_template: "Hello {{email}}" }))
    expect(changed).toMatchObject({ result: { status: 200 }, events: [{ event_type: "app_hook.updated" }] })
  })
})

test("SEC-83: accepts typical templates of up to 16 KiB", async () => {
  const realm = await (await service()).given.realm()
  const paragraph =
    "Lorem ipsum *dolor* sit **amet**, [consectetur](https://a.test/x) adipiscing elit, sed do eiusmod.\n\n"
  const table = `<tr><td style="padding: 3px"><p class="x">Lorem <b>ipsum</b></p><a href="https://a.test/x">go</a></td></tr>\n`
  const head =
    "# Hello {{first_name}}\n\n**{{full_name}}** of [{{realm_name}}]({{url}}): {{email}}, {{username}}, {{ip}}\n\n"
  for (const [email_renderer, email_template] of [
    ["markdown", head + paragraph.repeat((LENGTH - head.length) / paragraph.length)],
    ["html+text", `<h1>{{first_name}}</h1><table>${table.repeat(120)}</table>`],
    ["html", fill("<!").slice(0, -9) + "{{email}}"],
    ["text", fill("{{first_name}} is somebody to whom we write at length. ")]
  ]) {
    const created = await emailHook(realm, { email_renderer, email_template })
    expect(created.status).toBe(201)
  }
})

test("SEC-83: other requests are served while a template is being checked", async () => {
  const { transport, key, given } = await service()
  const [realm, other] = [await given.realm(), await given.realm()]
  const user = await other.user()
  const order: Array<string> = []
  const email_template = fill("*a_")
  const pendingCheck = realm
    .post("/v2/hooks", { hook: { ...mailHook, realm_id: realm.id, email_template } })
    .then((reply) => {
      order.push("trial")
      return reply
    })
  for (let n = 0; n < 5; n++) {
    expect((await new Api(transport, key).get("/healthz")).status).toBe(200)
    expect((await other.get(`/v2/users/${user.id}`)).status).toBe(200)
  }
  order.push("others")
  expect(errorOf(await pendingCheck)).toEqual(refusedAs("slow"))
  expect(order).toEqual(["others", "trial"])
})

/** A realm with a hook whose slow template was stored before templates were checked. */
const withSlowHook = async () => {
  const own = await turnedRealm()
  const hook = await emailHook(own.realm)
  const user = await own.realm.user()
  const storeSlowTemplate = () =>
    query(
      own.sql`update app_hooks set email_template = ${"*a_".repeat(21_845)}
        where realm_id = ${own.realm.id} and id = ${String(hook.id)}`
    )
  const cause = async (name: string) => {
    await own.realm.put(`/v2/users/${user.id}`, { user: { first_name: name } })
    return (await latest(own.realm, "user.updated")).eventId
  }
  return { ...own, hook, email: user.string("email"), storeSlowTemplate, cause }
}

describe("SEC-83: an email whose template is too slow", () => {
  test("fails permanently with a reason, without affecting its hook or other realms' emails", async () => {
    const { realm, given, hook, email, storeSlowTemplate, cause, postbox, advance } = await withSlowHook()
    const other = await given.realm()
    await emailHook(other)
    const reader = await other.user()
    await storeSlowTemplate()
    const eventId = await cause("Ada")
    await other.put(`/v2/users/${reader.id}`, { user: { first_name: "Bo" } })
    const events = await realm.seen.caused(() => advance("4 days"))
    expect(events).toEqual([])
    expect(postbox.to(email)).toEqual([])
    expect(await notificationFor(realm, eventId, hook.id)).toMatchObject({
      state: "failed",
      attempts: 1,
      last_destination: email,
      last_result: "The hook's email_template takes too long to render. Make it shorter or simpler."
    })
    expect((await realm.get(`/v2/hooks/${hook.id}`)).member("state")).toBe("active")
    expect(postbox.to(reader.string("email"))).toHaveLength(1)
  })

  test("is not rendered while its recipient is over the limit", async () => {
    const { realm, hook, email, storeSlowTemplate, cause, postbox, advance } = await withSlowHook()
    for (const name of ["A", "B", "C"]) await cause(name)
    await advance(0)
    expect(postbox.to(email)).toHaveLength(3)
    await storeSlowTemplate()
    const eventId = await cause("D")
    await advance(0)
    expect(await notificationFor(realm, eventId, hook.id)).toMatchObject({ state: "in_progress", attempts: 0 })
    await advance("1 minute")
    expect(await notificationFor(realm, eventId, hook.id)).toMatchObject({ state: "failed", attempts: 1 })
  })
})
