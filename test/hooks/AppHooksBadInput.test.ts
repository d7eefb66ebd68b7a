import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { destination, emailHook, hookVersions, webhook } from "../support/hooks.ts"
import { rejectionOf } from "../support/invitations.ts"
import { ownService, service } from "../support/sallyport.ts"

let shared: GivenRealm | undefined

/** One realm for all these tests, because rejected requests leave nothing behind. */
const realm = async () => (shared ??= await (await service()).given.realm())

const mail = { hook_type: "email", event_type: ["user.created"], email_subject: "Hi", email_template: "Body" }

const posts = { hook_type: "webhook", event_type: [], destination: "https://receiver.example.test/hook" }

const url = "https://receiver.example.test/"

const oneType = "Event type must be exactly one for an email hook."
const unmailable = "Event type must be one that concerns a user, so that there is someone to email."
const mustBeOneOf = (field: string, words: string) => `${field} must be one of: ${words}.`
const unknownTypeMessage = (name: string, nearest?: string) =>
  `Event type "${name}" does not exist.${nearest === undefined ? "" : ` Did you mean ${nearest}?`} error_details lists every type.`

/** Invalid webhooks and email hooks of either version, with the expected errors. */
const invalidHooks: ReadonlyArray<readonly [string, object, ReadonlyArray<string>]> = [
  ["no destination", { ...posts, destination: undefined }, ["Destination can't be blank."]],
  ["a blank destination", { ...posts, destination: " " }, ["Destination can't be blank."]],
  ["a destination of null", { ...posts, destination: null }, ["Destination can't be blank."]],
  ["a destination that isn't a URL", { ...posts, destination: "x" }, ["Destination must be an http or https URL."]],
  ["ftp", { ...posts, destination: "ftp://a.test/" }, ["Destination must be an http or https URL."]],
  [
    "a line break in the destination",
    { ...posts, destination: "https://a.test/\r\nx" },
    ["Destination must be an http or https URL."]
  ],
  [
    "a password in the destination",
    { ...posts, destination: "https://u:p@a.test/" },
    ["Destination can't contain a username, password or fragment."]
  ],
  [
    "a fragment in the destination",
    { ...posts, destination: `${url}#x` },
    ["Destination can't contain a username, password or fragment."]
  ],
  [
    "2,049 characters",
    { ...posts, destination: url.padEnd(2_049, "x") },
    ["Destination is too long (maximum is 2048 characters)."]
  ],
  ["a destination of another JSON type", { ...posts, destination: 5 }, ["Destination must be text."]],
  ["a negative delay", { ...posts, delay: -1 }, ["Delay must be between 0 and 2592000."]],
  ["a delay of more than 30 days", { ...posts, delay: 2_592_001 }, ["Delay must be between 0 and 2592000."]],
  ["a fractional delay", { ...posts, delay: 1.5 }, ["Delay must be a whole number."]],
  ["a delay in words", { ...posts, delay: "soon" }, ["Delay must be a whole number."]],
  ["an unknown state", { ...posts, state: "closed" }, [mustBeOneOf("State", "active, inactive")]],
  ["an unknown type of hook", { ...posts, hook_type: "sms" }, [mustBeOneOf("Hook type", "webhook, email")]],
  [
    "an unknown event type",
    { ...posts, event_type: ["user.created", "user.create"] },
    [unknownTypeMessage("user.create", "user.created")]
  ],
  ["a prefix of event types", { ...posts, event_type: ["user."] }, [unknownTypeMessage("user.", "user.blocked")]],
  ["an event type in an object", { ...posts, event_type: { type: "user.created" } }, ["Event type must be a list."]],
  [
    "two mistakes",
    { ...posts, delay: -1, destination: "" },
    ["Delay must be between 0 and 2592000.", "Destination can't be blank."]
  ],
  ["no event type", { ...mail, event_type: undefined }, [oneType]],
  ["zero event types", { ...mail, event_type: [] }, [oneType]],
  ["two event types", { ...mail, event_type: ["user.created", "user.updated"] }, [oneType]],
  ["an event that concerns no user", { ...mail, event_type: ["org.created"] }, [unmailable]],
  ["an event about a hook", { ...mail, event_type: ["hook.disabled"] }, [unmailable]],
  ["no subject", { ...mail, email_subject: undefined }, ["Email subject can't be blank."]],
  ["a blank subject", { ...mail, email_subject: "  " }, ["Email subject can't be blank."]],
  ["no template", { ...mail, email_template: null }, ["Email template can't be blank."]],
  [
    "a subject of 256 characters",
    { ...mail, email_subject: "x".repeat(256) },
    ["Email subject is too long (maximum is 255 characters)."]
  ],
  [
    "a template larger than 16 KiB",
    { ...mail, email_template: "x".repeat(16_385) },
    ["Email template is too long (maximum is 16384 characters)."]
  ],
  ["NUL in a template", { ...mail, email_template: "a\u0000b" }, ["Email template is not valid."]],
  ["an invalid sender", { ...mail, email_from: "acme" }, ["Email from is not a valid email address."]],
  ["two senders", { ...mail, email_from: "a@b.test, c@d.test" }, ["Email from is not a valid email address."]],
  ["an invalid recipient", { ...mail, email_to: "a@b@c.test" }, ["Email to is not a valid email address."]],
  ["a recipient group", { ...mail, email_to: "all: a@b.test, c@d.test;" }, ["Email to is not a valid email address."]],
  [
    "an unknown renderer",
    { ...mail, email_renderer: "mjml" },
    [mustBeOneOf("Email renderer", "html, html+text, markdown, text")]
  ],
  ["an unknown user type", { ...mail, user_type: "robot" }, [mustBeOneOf("User type", "all, human, api")]]
]

describe.each(hookVersions)("POST $path", ({ version, path, wrapper }) => {
  test("returns 422 with a message for each mistake in bad input, and records no event", async () => {
    const given = await realm()
    const events = await given.seen.caused(async () => {
      for (const [what, attributes, errors] of invalidHooks) {
        const reply = await given.post(path, { [wrapper]: attributes })
        expect([what, rejectionOf(reply)]).toEqual([what, { status: 422, errors }])
      }
    })
    expect(events).toEqual([])
    expect((await given.get(`${path}?hook_type=webhook`)).items).toEqual([])
  })

  test("accepts each value at its maximum length", async () => {
    const given = await realm()
    const longest = { email_subject: "x".repeat(255), email_template: "😀".repeat(16_384 / 2) }
    const mailing = await given.post(path, { [wrapper]: { ...mail, ...longest, email_from_name: "é".repeat(255) } })
    expect([mailing.status, mailing.body]).toMatchObject([201, longest])
    const destination = url.padEnd(2_048, "x")
    const posting = await given.post(path, { [wrapper]: { ...posts, destination, event_type: ["user.blocked"] } })
    expect([posting.status, posting.member("destination")]).toEqual([201, destination])
    await given.delete(`${path}/${posting.id}`)
  })

  test("SEC-71: returns 422 for CR, LF and other control characters in values used in headers", async () => {
    const given = await realm()
    const events = await given.seen.caused(async () => {
      for (const breaking of ["\r\n", "\n", "\r", "\u0000", "\u007f", "\u2028", "\u0085"]) {
        const text = `Hello${breaking}Bcc: victim@example.test`
        for (const [field, sentence] of [
          ["email_subject", "Email subject is not valid."],
          ["email_from_name", "Email from name is not valid."],
          ["email_from", "Email from is not a valid email address."],
          ["email_to", "Email to is not a valid email address."]
        ]) {
          const value = field?.endsWith("from") || field?.endsWith("to") ? `a@b.test${breaking}c@d.test` : text
          const reply = await given.post(path, { [wrapper]: { ...mail, [String(field)]: value } })
          expect([breaking, rejectionOf(reply)]).toEqual([breaking, { status: 422, errors: [sentence] }])
        }
      }
    })
    expect(events).toEqual([])
  })

  test("returns 400 without the wrapper object", async () => {
    const given = await realm()
    const missing = `The request body must contain an object named ${wrapper}.`
    const hint = (member: string) => `Move ${member} inside ${wrapper}, as in {"${wrapper}": {"${member}": …}}.`
    const members = Object.keys(posts).filter((member) => member !== "realm_id")
    expect(rejectionOf(await given.post(path, posts))).toEqual({
      status: 400,
      errors: [missing, ...members.map(hint)]
    })
    expect(rejectionOf(await given.post(path, {}))).toEqual({ status: 400, errors: [missing] })
  })

  test(`accepts ${version === "v1" ? "only user. types" : "user. and invitation. types"} for an email hook`, async () => {
    const given = await realm()
    const invited = await given.post(path, { [wrapper]: { ...mail, event_type: ["invitation.org.invited"] } })
    if (version === "v1") expect(rejectionOf(invited)).toEqual({ status: 422, errors: [unmailable] })
    else expect([invited.status, invited.member("event_type")]).toEqual([201, ["invitation.org.invited"]])
    const named = await given.post(path, { [wrapper]: { ...mail, event_type: ["user.password_token.created"] } })
    expect(named.status).toBe(201)
  })

  test(`${version === "v1" ? "rejects" : "accepts"} session.deleted, which only v2 has, for a webhook`, async () => {
    const given = await realm()
    const reply = await given.post(path, { [wrapper]: { ...posts, event_type: ["session.deleted"] } })
    if (version === "v1")
      expect(rejectionOf(reply)).toEqual({ status: 422, errors: [unknownTypeMessage("session.deleted")] })
    else expect(reply.status).toBe(201)
    await given.delete(`${path}/${String(reply.member("id"))}`)
  })
})

describe.each(hookVersions)("PUT $path/{hook_id}", ({ path, wrapper }) => {
  test("returns 422 for changes that would make the hook invalid, and leaves the hook unchanged", async () => {
    const given = await realm()
    const [posting, mailing] = [await webhook(given, { delay: 3 }), await emailHook(given)]
    const events = await given.seen.caused(async () => {
      for (const [id, change, errors] of [
        [posting.id, { destination: null }, ["Destination can't be blank."]],
        [posting.id, { destination: "x" }, ["Destination must be an http or https URL."]],
        [posting.id, { event_type: ["org.creatd", "x"] }, [unknownTypeMessage("org.creatd", "org.created")]],
        [posting.id, { state: null }, [mustBeOneOf("State", "active, inactive")]],
        [posting.id, { delay: -1, state: "inactive" }, ["Delay must be between 0 and 2592000."]],
        [mailing.id, { email_subject: "" }, ["Email subject can't be blank."]],
        [mailing.id, { email_template: null }, ["Email template can't be blank."]],
        [mailing.id, { event_type: [] }, [oneType]],
        [mailing.id, { event_type: ["user.created", "user.updated"] }, [oneType]],
        [mailing.id, { event_type: ["org.created"] }, [unmailable]],
        [mailing.id, { email_from_name: "a\nb" }, ["Email from name is not valid."]]
      ] as const) {
        expect(rejectionOf(await given.put(`${path}/${id}`, { [wrapper]: change }))).toEqual({
          status: 422,
          errors
        })
      }
    })
    expect(events).toEqual([])
    expect((await given.get(`/v2/hooks/${posting.id}`)).body).toEqual(posting.body)
    expect((await given.get(`/v2/hooks/${mailing.id}`)).body).toEqual(mailing.body)
    await given.delete(`/v2/hooks/${posting.id}`)
  })

  test("resets delay, email_renderer and user_type to their defaults when set to null", async () => {
    const given = await realm()
    const made = await emailHook(given, { delay: 5, email_renderer: "text", user_type: "human" })
    const change = { delay: null, email_renderer: null, user_type: null }
    const reply = await given.put(`${path}/${made.id}`, { [wrapper]: change })
    expect(reply.body).toMatchObject({ delay: 0, email_renderer: "markdown", user_type: "all" })
  })
})

/** The valid event types of the contract (`v1.hook.types`). */
const contract = [
  ...["app_hook", "auth_provider", "login_policy", "membership", "org", "realm"].flatMap((resource) =>
    ["created", "deleted", "updated"].map((what) => `${resource}.${what}`)
  ),
  ...["created", "deleted", "email.verification_requested", "email.verified", "login.failed", "login.initiated"].map(
    (what) => `user.${what}`
  ),
  ...["login.succeeded", "password_token.consumed", "password_token.created", "password_token.failed", "updated"].map(
    (what) => `user.${what}`
  )
]

test("a webhook accepts each event type of the contract, and an email hook each user. type", async () => {
  const given = await realm()
  expect(contract).toHaveLength(29)
  const posting = await given.post("/v1/app_hooks", { app_hook: { ...posts, event_type: contract } })
  expect([posting.status, posting.member("event_type")]).toEqual([201, contract])
  await given.delete(`/v1/app_hooks/${posting.id}`)
  for (const type of contract) {
    const mailing = await given.post("/v1/app_hooks", { app_hook: { ...mail, event_type: [type] } })
    expect([type, mailing.status]).toEqual([type, type.startsWith("user.") ? 201 : 422])
  }
})

test("SEC-67: the service rejects private or non-https destinations unless private targets are allowed", () =>
  ownService(
    async ({ given }) => {
      const own = await given.realm()
      const made = await webhook(own)
      for (const [target, sentence] of [
        ["http://receiver.example.test/", "Destination must be an https URL."],
        ["https://127.0.0.1/", "Destination can't point to a private or local address."],
        ["https://[::ffff:7f00:1]/", "Destination can't point to a private or local address."],
        ["https://169.254.169.254/latest", "Destination can't point to a private or local address."],
        ["https://2130706433/", "Destination can't point to a private or local address."],
        ["https://localhost/", "Destination can't point to a private or local address."]
      ]) {
        const refusal = { status: 422, errors: [sentence] }
        expect(rejectionOf(await own.post("/v2/hooks", { hook: { event_type: [], destination: target } }))).toEqual(
          refusal
        )
        expect(rejectionOf(await own.put(`/v2/hooks/${made.id}`, { hook: { destination: target } }))).toEqual(refusal)
      }
      expect((await own.put(`/v2/hooks/${made.id}`, { hook: { destination: destination() } })).status).toBe(200)
    },
    { allowPrivateTargets: false }
  ))
