import { describe, expect, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import { accountMail, accountMails, accountNotices, isAccountMail } from "#domain/AccountNotice"
import {
  type AppHook,
  type EmailHook,
  type HookSubscription,
  isMailable,
  isSubscribed,
  type Webhook
} from "#domain/AppHook"
import { type AppHookInput, applyHookInput, hookProblems } from "#domain/AppHookInput"
import { defaultMails, EMAIL_CHANGE_NOTICE, eventTypeOfMail } from "#domain/DefaultMail"
import { canonicalEmail } from "#domain/Email"
import { type EventType, eventName, eventTypes, type Version, visibleTypes } from "#domain/Event"
import { encodeId } from "#domain/Ids"
import { EmailAddress, integer, UnicodeText } from "../support/arbitraries.ts"

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

const subscription = (attributes: Partial<HookSubscription> = {}): HookSubscription => ({
  ...common,
  hookType: "webhook",
  eventTypes: [],
  defaultOf: null,
  ...attributes
})

const OneType = Schema.Literals(eventTypes)

const Types = Schema.Array(OneType).check(Schema.isUnique())

const SomeVersion = Schema.Literals(["v1", "v2"])

const subscribedTypes = (hook: HookSubscription) => eventTypes.filter((eventType) => isSubscribed(hook, { eventType }))

describe("the subscriptions of a hook", () => {
  it("include all types visible to its version if event_type is missing", () => {
    expect(subscribedTypes(subscription())).toEqual(eventTypes)
    expect(subscribedTypes(subscription({ version: "v1" }))).toEqual(
      eventTypes.filter(
        (one) =>
          !["realm.reset", "session.deleted"].includes(one) && !/^(console|domain|operator|user\.deletion)\./.test(one)
      )
    )
  })

  it.prop(
    "include exactly the given types that are visible to its version",
    [Types.check(Schema.isMinLength(1)), SomeVersion],
    ([chosen, of]) => {
      const visible = visibleTypes(of).filter((one) => chosen.includes(one))
      expect(subscribedTypes(subscription({ eventTypes: chosen, version: of }))).toEqual(visible)
    }
  )

  it("C27: exclude password resets requested by somebody else for the default email only", () => {
    const eventType = "user.password.resetting"
    const own = subscription({ hookType: "email", eventTypes: [eventType] })
    const standard = { ...own, defaultOf: eventType } as const
    expect([isSubscribed(own, { eventType }), isSubscribed(own, { eventType, isMailed: true })]).toEqual([true, true])
    expect([isSubscribed(standard, { eventType }), isSubscribed(standard, { eventType, isMailed: true })]).toEqual([
      false,
      true
    ])
    expect(isSubscribed(standard, { eventType, isMailed: false })).toBe(false)
  })

  it("include the type of each default email, except password resets not requested by the user", () => {
    for (const name of defaultMails) {
      const eventType = eventTypeOfMail(name)
      const hook = subscription({ hookType: "email", eventTypes: [eventType], defaultOf: name })
      const isNotice = name === EMAIL_CHANGE_NOTICE || isAccountMail(name)
      const notice = accountNotices.find((one) => accountMail(one) === name)
      expect(isSubscribed(hook, { eventType, isMailed: true, previousEmail: "jo@example.test", notice })).toBe(true)
      expect([name, isSubscribed(hook, { eventType })]).toEqual([name, !isNotice && name !== "user.password.resetting"])
    }
  })

  it("include a login method notice for its default email and for all custom hooks", () => {
    const eventType = "user.updated"
    const own = subscription({ hookType: "email", eventTypes: [eventType] })
    for (const notice of accountNotices) {
      const heard = accountMails.filter((defaultOf) =>
        isSubscribed({ ...own, eventTypes: [], defaultOf }, { eventType, notice })
      )
      expect([heard, isSubscribed(own, { eventType, notice })]).toEqual([[accountMail(notice)], true])
    }
  })

  it("SEC-90: include the notice to the previous address only for a new email change", () => {
    const eventType = "user.email.updating"
    const hook = subscription({ hookType: "email", eventTypes: [eventType], defaultOf: EMAIL_CHANGE_NOTICE })
    expect(isSubscribed(hook, { eventType, isMailed: true })).toBe(false)
    expect(isSubscribed(hook, { eventType, previousEmail: "jo@example.test" })).toBe(true)
  })

  it("include only the new type if a default hook's type was changed", () => {
    const hook = subscription({ hookType: "email", eventTypes: ["user.created"], defaultOf: "user.password.resetting" })
    expect(subscribedTypes(hook)).toEqual(["user.created"])
  })
})

describe("isMailable", () => {
  it("allows user. types under v1, and also invitation. types under v2", () => {
    const mailable = (of: Version) => eventTypes.filter((one) => isMailable(one, of))
    expect(mailable("v1")).toEqual(eventTypes.filter((one) => one.startsWith("user.")))
    expect(mailable("v2")).toEqual(eventTypes.filter((one) => one.startsWith("user.") || one.startsWith("invitation.")))
  })
})

const problemsOf = (hook: AppHook, typed: AppHookInput, of: Version = "v2") =>
  hookProblems(applyHookInput(hook, typed, of), typed, of, () => undefined).map(({ field, code }) => [field, code])

const TypedTypes = Schema.Array(Schema.Union([OneType, Schema.String]))

describe("event types as input", () => {
  const names = (one: EventType): ReadonlyArray<string> => [eventName(one, "v1"), eventName(one, "v2")]

  it.prop(
    "may use either version's names, and duplicates count once",
    [Types.check(Schema.isMinLength(1))],
    ([chosen]) => {
      const typed = { eventTypes: chosen.flatMap(names) }
      expect([applyHookInput(posting, typed, "v2").eventTypes, problemsOf(posting, typed)]).toEqual([chosen, []])
    }
  )

  it.prop(
    "are rejected if the version doesn't have the type, and accepted otherwise",
    [TypedTypes, SomeVersion],
    ([typed, of]) => {
      const known = new Set(visibleTypes(of).flatMap(names))
      const expected = typed.every((name) => known.has(name)) ? [] : [["event_type", "not_event_type"]]
      expect(problemsOf(posting, { eventTypes: typed }, of)).toEqual(expected)
    }
  )

  it.prop(
    "must be exactly one type that concerns a user or invitee for an email hook",
    [Types.check(Schema.isMaxLength(3))],
    ([chosen]) => {
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
    }
  )

  it("may keep a type that v1 doesn't allow for a default email hook", () => {
    const own: EmailHook = { ...mailing, eventTypes: ["invitation.org.invited"], defaultOf: "invitation.org.invited" }
    expect(problemsOf(own, { eventTypes: ["invitation.org.invited"] }, "v1")).toEqual([])
    expect(problemsOf(own, { eventTypes: ["invitation.request.invited"] }, "v1")).toEqual([
      ["event_type", "not_mailable"]
    ])
    expect(problemsOf(own, { delay: 5 }, "v1")).toEqual([])
  })
})

describe("hook settings as input", () => {
  const TypedEmail = Schema.NullOr(Schema.Union([EmailAddress, UnicodeText]))
  const TypedText = Schema.NullOr(UnicodeText)
  const Typed = Schema.Struct({
    state: Schema.optionalKey(Schema.Literals(["active", "inactive"])),
    eventTypes: Schema.optionalKey(TypedTypes),
    delay: Schema.optionalKey(Schema.NullOr(integer(-(2 ** 31), 2 ** 31 - 1))),
    destination: Schema.optionalKey(TypedText),
    emailFrom: Schema.optionalKey(TypedEmail),
    emailFromName: Schema.optionalKey(TypedText),
    emailRenderer: Schema.optionalKey(Schema.NullOr(Schema.Literals(["html", "html+text", "markdown", "text"]))),
    emailSubject: Schema.optionalKey(TypedText),
    emailTemplate: Schema.optionalKey(TypedText),
    emailTo: Schema.optionalKey(TypedEmail),
    userType: Schema.optionalKey(Schema.NullOr(Schema.Literals(["all", "human", "api"])))
  })

  it.prop(
    "SEC-71: must have one line per header, one address per address field and storable text",
    [Typed, SomeVersion],
    ([input, of]) => {
      const after = applyHookInput(mailing, input, of)
      if (hookProblems(after, input, of, () => undefined).length > 0 || after.hookType !== "email") return
      for (const line of [after.emailSubject, after.emailFromName])
        expect(line ?? "").not.toMatch(/\p{Cc}|\u2028|\u2029/u)
      for (const email of [after.emailFrom, after.emailTo]) {
        if (email !== null) expect(canonicalEmail(email)).toBe(email)
      }
      expect(JSON.stringify([after.emailSubject, after.emailTemplate])).not.toContain("\\u0000")
    },
    { arbitrary: { runs: 500 } }
  )

  it.prop("change nothing when sent again", [Typed, SomeVersion], ([input, of]) => {
    for (const hook of [posting, mailing]) {
      const once = applyHookInput(hook, input, of)
      expect(applyHookInput(once, input, of)).toEqual(once)
    }
  })

  it.prop("ignore members of the other hook type, and preserve members that aren't sent", [Typed], ([input]) => {
    const { state, eventTypes: chosen, delay, destination, ...mail } = input
    expect(applyHookInput(posting, mail, "v2")).toEqual(posting)
    expect(applyHookInput(mailing, destination === undefined ? {} : { destination }, "v2")).toEqual(mailing)
    const after = applyHookInput(posting, { ...input, ...mail }, "v2")
    expect(Object.keys(after)).toEqual(Object.keys(posting))
    expect([after.state, after.delay]).toEqual([state ?? "active", delay ?? 0])
    if (chosen === undefined) expect(after.eventTypes).toEqual([])
  })

  it("change nothing if empty", () => {
    expect(applyHookInput(mailing, {}, "v1")).toEqual(mailing)
  })
})
