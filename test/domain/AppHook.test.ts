import { DateTime } from "effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  type AppHook,
  defaultMails,
  EMAIL_CHANGE_NOTICE,
  type EmailHook,
  eventTypeOfMail,
  type HookSubscription,
  isMailable,
  isSubscribed,
  type Webhook
} from "#domain/AppHook"
import { type AppHookInput, applyHookInput, hookProblems } from "#domain/AppHookInput"
import { canonicalEmail } from "#domain/Email"
import { type EventType, eventName, eventTypes, type Version, visibleTypes } from "#domain/Event"
import { encodeId } from "#domain/Ids"

const common = {
  id: encodeId("hook", { millis: 1, random: [0, 0] }),
  realmId: encodeId("realm", { millis: 1, random: [0, 0] }),
  version: "v2",
  state: "active",
  delay: 0,
  createdAt: DateTime.makeUnsafe(0),
  failingSince: null
} as const

const posting: Webhook = { ...common, hookType: "webhook", eventTypes: [], destination: "https://a.test/" }

const mailing: EmailHook = {
  ...common,
  hookType: "email",
  eventTypes: ["user.created"],
  emailFrom: null,
  emailFromName: null,
  emailRenderer: "markdown",
  emailSubject: "Hi",
  emailTemplate: "Body",
  emailTo: null,
  userType: "all",
  defaultOf: null
}

const listener = (attributes: Partial<HookSubscription> = {}): HookSubscription => ({
  ...common,
  hookType: "webhook",
  eventTypes: [],
  defaultOf: null,
  ...attributes
})

const type = fc.constantFrom(...eventTypes)

const types = fc.uniqueArray(type, { minLength: 1 })

const version = fc.constantFrom<Version>("v1", "v2")

const heardBy = (hook: HookSubscription) => eventTypes.filter((eventType) => isSubscribed(hook, { eventType }))

describe("hears", () => {
  test("without types: everything that the hook's version sees", () => {
    expect(heardBy(listener())).toEqual(eventTypes)
    expect(heardBy(listener({ version: "v1" }))).toEqual(eventTypes.filter((one) => one !== "session.deleted"))
  })

  test("with types: those, and no other", () => {
    fc.assert(
      fc.property(types, version, (chosen, of) => {
        const visible = visibleTypes(of).filter((one) => chosen.includes(one))
        expect(heardBy(listener({ eventTypes: chosen, version: of }))).toEqual(visible)
      })
    )
  })

  test("C27: a reset that the user did not ask for is not heard by the default mail, but by every other hook", () => {
    const eventType = "user.password.resetting"
    const own = listener({ hookType: "email", eventTypes: [eventType] })
    const standard = { ...own, defaultOf: eventType } as const
    expect([isSubscribed(own, { eventType }), isSubscribed(own, { eventType, requestedByUser: true })]).toEqual([
      true,
      true
    ])
    expect([
      isSubscribed(standard, { eventType }),
      isSubscribed(standard, { eventType, requestedByUser: true })
    ]).toEqual([false, true])
    expect(isSubscribed(standard, { eventType, requestedByUser: false })).toBe(false)
  })

  test("every default mail is heard by its hook, asked for by the user or, but for a reset, by anybody", () => {
    for (const name of defaultMails) {
      const eventType = eventTypeOfMail(name)
      const hook = listener({ hookType: "email", eventTypes: [eventType], defaultOf: name })
      const isNotice = name === EMAIL_CHANGE_NOTICE
      expect(isSubscribed(hook, { eventType, requestedByUser: true, previousEmail: "jo@example.test" })).toBe(true)
      expect([name, isSubscribed(hook, { eventType })]).toEqual([name, !isNotice && name !== "user.password.resetting"])
    }
  })

  test("SEC-90: the address from before is told of a change that was asked for just now, not of a link asked for again", () => {
    const eventType = "user.email.updating"
    const hook = listener({ hookType: "email", eventTypes: [eventType], defaultOf: EMAIL_CHANGE_NOTICE })
    expect(isSubscribed(hook, { eventType, requestedByUser: true })).toBe(false)
    expect(isSubscribed(hook, { eventType, previousEmail: "jo@example.test" })).toBe(true)
  })

  test("a default hook that was given another type hears that one, whoever asked", () => {
    const hook = listener({ hookType: "email", eventTypes: ["user.created"], defaultOf: "user.password.resetting" })
    expect(heardBy(hook)).toEqual(["user.created"])
  })
})

describe("isMailable", () => {
  test("user. types under v1; invitation. types too under v2; nothing else", () => {
    const mailable = (of: Version) => eventTypes.filter((one) => isMailable(one, of))
    expect(mailable("v1")).toEqual(eventTypes.filter((one) => one.startsWith("user.")))
    expect(mailable("v2")).toEqual(eventTypes.filter((one) => one.startsWith("user.") || one.startsWith("invitation.")))
  })
})

const problemsOf = (hook: AppHook, typed: AppHookInput, of: Version = "v2") =>
  hookProblems(applyHookInput(hook, typed, of), typed, of, () => undefined).map(({ field, code }) => [field, code])

describe("event types as they are typed", () => {
  const names = (one: EventType): ReadonlyArray<string> => [eventName(one, "v1"), eventName(one, "v2")]

  test("names of either version mean the same, and each counts once", () => {
    fc.assert(
      fc.property(types, (chosen) => {
        const typed = { eventTypes: chosen.flatMap(names) }
        expect([applyHookInput(posting, typed, "v2").eventTypes, problemsOf(posting, typed)]).toEqual([chosen, []])
      })
    )
  })

  test("what is no type that the version sees is refused, and only that", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(type, fc.string())), version, (typed, of) => {
        const known = new Set(visibleTypes(of).flatMap(names))
        const expected = typed.every((name) => known.has(name)) ? [] : [["event_type", "inclusion"]]
        expect(problemsOf(posting, { eventTypes: typed }, of)).toEqual(expected)
      })
    )
  })

  test("an e-mail hook has exactly one, which concerns somebody; a default one may keep its own under v1", () => {
    fc.assert(
      fc.property(fc.uniqueArray(type, { maxLength: 3 }), (chosen) => {
        const [only] = chosen
        const expected =
          chosen.length !== 1 || only === undefined
            ? "one_event_type"
            : isMailable(only, "v2")
              ? undefined
              : "not_mailable"
        expect(problemsOf(mailing, { eventTypes: chosen })).toEqual(
          expected === undefined ? [] : [["event_type", expected]]
        )
      })
    )
    const own: EmailHook = { ...mailing, eventTypes: ["invitation.org.invited"], defaultOf: "invitation.org.invited" }
    expect(problemsOf(own, { eventTypes: ["invitation.org.invited"] }, "v1")).toEqual([])
    expect(problemsOf(own, { eventTypes: ["invitation.request.invited"] }, "v1")).toEqual([
      ["event_type", "not_mailable"]
    ])
    expect(problemsOf(own, { delay: 5 }, "v1")).toEqual([])
  })
})

describe("what is typed of a hook", () => {
  const typed = fc.record<AppHookInput>(
    {
      state: fc.constantFrom("active", "inactive"),
      eventTypes: fc.array(fc.oneof(type, fc.string())),
      delay: fc.option(fc.integer()),
      destination: fc.option(fc.string({ unit: "binary" })),
      emailFrom: fc.option(fc.oneof(fc.emailAddress(), fc.string({ unit: "binary" }))),
      emailFromName: fc.option(fc.string({ unit: "binary" })),
      emailRenderer: fc.option(fc.constantFrom("html", "html+text", "markdown", "text")),
      emailSubject: fc.option(fc.string({ unit: "binary" })),
      emailTemplate: fc.option(fc.string({ unit: "binary" })),
      emailTo: fc.option(fc.oneof(fc.emailAddress(), fc.string({ unit: "binary" }))),
      userType: fc.option(fc.constantFrom("all", "human", "api"))
    },
    { requiredKeys: [] }
  )

  test("SEC-71: what is accepted has one line in each header, one address in each address, and is text that can be stored", () => {
    fc.assert(
      fc.property(typed, version, (input, of) => {
        const after = applyHookInput(mailing, input, of)
        if (hookProblems(after, input, of, () => undefined).length > 0 || after.hookType !== "email") return
        for (const line of [after.emailSubject, after.emailFromName])
          expect(line ?? "").not.toMatch(/\p{Cc}|\u2028|\u2029/u)
        for (const email of [after.emailFrom, after.emailTo]) {
          if (email !== null) expect(canonicalEmail(email)).toBe(email)
        }
        expect(JSON.stringify([after.emailSubject, after.emailTemplate])).not.toContain("\\u0000")
      }),
      { numRuns: 500 }
    )
  })

  test("typed once more it changes nothing", () => {
    fc.assert(
      fc.property(typed, version, (input, of) => {
        for (const hook of [posting, mailing]) {
          const once = applyHookInput(hook, input, of)
          expect(applyHookInput(once, input, of)).toEqual(once)
        }
      })
    )
  })

  test("of the other type means nothing, and what is not typed stays", () => {
    fc.assert(
      fc.property(typed, (input) => {
        const { state, eventTypes: chosen, delay, destination, ...mail } = input
        expect(applyHookInput(posting, mail, "v2")).toEqual(posting)
        expect(applyHookInput(mailing, destination === undefined ? {} : { destination }, "v2")).toEqual(mailing)
        const after = applyHookInput(posting, { ...input, ...mail }, "v2")
        expect(Object.keys(after)).toEqual(Object.keys(posting))
        expect([after.state, after.delay]).toEqual([state ?? "active", delay ?? 0])
        if (chosen === undefined) expect(after.eventTypes).toEqual([])
      })
    )
    expect(applyHookInput(mailing, {}, "v1")).toEqual(mailing)
  })
})
