import { Effect } from "effect"
import type { SamlCheck } from "#domain/SamlRefused"
import type { CheckList } from "./CheckList.ts"
import { BEARER, namespaces } from "./Names.ts"
import { CLOCK_SKEW, type ResponseOptions } from "./ResponseOptions.ts"
import { parseInstant } from "./Times.ts"
import { childOf, childrenOf, type XmlElement } from "./Xml.ts"

/** A login at an identity provider, as a signed assertion describes it. All times are in Unix milliseconds. */
export interface SamlLogin {
  readonly assertionId: string
  /** When the assertion is no longer accepted, including the difference of clocks. Until then, its ID must not be used again. */
  readonly notOnOrAfter: number
  readonly nameId: string
  readonly nameIdFormat: string | null
  readonly sessionIndex: string | null
  /** When the session at the provider ends, if it says so. */
  readonly sessionNotOnOrAfter: number | null
  readonly authnContextClass: string | null
  readonly authnInstant: number
  /** The texts of each attribute, by its name. Structured values are left out. */
  readonly attributes: Readonly<Record<string, ReadonlyArray<string>>>
  /** The ID of the request, or null if the response is unsolicited. */
  readonly inResponseTo: string | null
  /** The checks that the response has passed, in order. */
  readonly passed: ReadonlyArray<SamlCheck>
}

const MAX_NAME_ID = 1_024

const { assertion: namespace } = namespaces

const iso = (millis: number): string => new Date(millis).toISOString()

/** Checks that a time in an attribute, if there is one, has come. */
const checkNotBefore = Effect.fnUntraced(function* (element: XmlElement, { now }: ResponseOptions, checks: CheckList) {
  const text = element.attributes.get("NotBefore")
  const time = text === undefined ? 0 : parseInstant(text)
  yield* checks.require("not_before", time !== undefined && time - CLOCK_SKEW <= now, {
    expected: iso(now),
    found: text
  })
})

/** Checks that a time in an attribute, if there is one, hasn't come. Returns when it does, including the difference of clocks. */
const checkEnd = Effect.fnUntraced(function* (
  check: "not_on_or_after" | "session_not_on_or_after",
  text: string | undefined,
  { now }: ResponseOptions,
  checks: CheckList
) {
  if (text === undefined) return undefined
  const time = parseInstant(text)
  const details = { expected: iso(now), found: text }
  const end = (yield* checks.value(check, time, details)) + CLOCK_SKEW
  yield* checks.require(check, now < end, details)
  return end
})

/** Checks that the bearer of the assertion is who the provider sent here, and returns until when. */
const checkConfirmation = Effect.fnUntraced(function* (
  subject: XmlElement,
  options: ResponseOptions,
  checks: CheckList
) {
  const bearers = childrenOf(subject, namespace, "SubjectConfirmation").filter(
    ({ attributes }) => attributes.get("Method") === BEARER
  )
  const [bearer] = bearers
  const data = bearer && childOf(bearer, namespace, "SubjectConfirmationData")
  if (data === undefined || bearers.length > 1) return yield* checks.refuse("subject_confirmation")
  checks.pass("subject_confirmation")
  const recipient = data.attributes.get("Recipient")
  yield* checks.require("recipient", recipient === options.acsUrl, { expected: options.acsUrl, found: recipient })
  const inResponseTo = data.attributes.get("InResponseTo") ?? "unsolicited"
  const expected = options.expectedRequestId
  yield* checks.require("in_response_to", inResponseTo === expected, { expected, found: inResponseTo })
  yield* checkNotBefore(data, options, checks)
  const end = yield* checkEnd("not_on_or_after", data.attributes.get("NotOnOrAfter"), options, checks)
  return yield* checks.value("not_on_or_after", end)
})

const knownConditions: ReadonlySet<string> = new Set(["AudienceRestriction", "OneTimeUse", "ProxyRestriction"])

/** Checks the conditions of an assertion, and returns until when it is valid, if it says so. */
const checkConditions = Effect.fnUntraced(function* (
  assertion: XmlElement,
  options: ResponseOptions,
  checks: CheckList
) {
  const conditions = yield* checks.value("conditions", childOf(assertion, namespace, "Conditions"))
  const unknown = conditions.children.find((child) => child.namespace !== namespace || !knownConditions.has(child.name))
  yield* checks.require("conditions", unknown === undefined, { found: unknown?.name })
  yield* checkNotBefore(conditions, options, checks)
  const end = yield* checkEnd("not_on_or_after", conditions.attributes.get("NotOnOrAfter"), options, checks)
  const audiences = childrenOf(conditions, namespace, "AudienceRestriction").map((restriction) =>
    childrenOf(restriction, namespace, "Audience").map(({ text }) => text)
  )
  const isMeant = audiences.length > 0 && audiences.every((restriction) => restriction.includes(options.spEntityId))
  yield* checks.require("audience", isMeant, { expected: options.spEntityId, found: audiences.flat().join(" ") })
  return end
})

/** Returns the first statement about a login. */
const readAuthnStatement = Effect.fnUntraced(function* (
  assertion: XmlElement,
  options: ResponseOptions,
  checks: CheckList
) {
  const statement = yield* checks.value("authn_statement", childrenOf(assertion, namespace, "AuthnStatement")[0])
  const instant = statement.attributes.get("AuthnInstant") ?? ""
  const authnInstant = yield* checks.value("authn_statement", parseInstant(instant), { found: instant })
  yield* checks.require("authn_statement", authnInstant <= options.now + CLOCK_SKEW, { found: instant })
  const text = statement.attributes.get("SessionNotOnOrAfter")
  const sessionEnd = yield* checkEnd("session_not_on_or_after", text, options, checks)
  checks.pass("session_not_on_or_after")
  const context = childOf(statement, namespace, "AuthnContext")
  return {
    authnInstant,
    sessionIndex: statement.attributes.get("SessionIndex") ?? null,
    sessionNotOnOrAfter: sessionEnd === undefined ? null : sessionEnd - CLOCK_SKEW,
    authnContextClass: (context && childOf(context, namespace, "AuthnContextClassRef")?.text) ?? null
  }
})

/** The text of an attribute's value. Some providers wrap it in one more element. */
const valuesOf = (attribute: XmlElement): ReadonlyArray<string> =>
  childrenOf(attribute, namespace, "AttributeValue").flatMap((value) => {
    const [wrapped] = value.children
    if (wrapped === undefined) return [value.text]
    return value.children.length === 1 && wrapped.children.length === 0 ? [wrapped.text] : []
  })

const readAttributes = Effect.fnUntraced(function* (assertion: XmlElement, checks: CheckList) {
  const statements = childrenOf(assertion, namespace, "AttributeStatement").flatMap(({ children }) => children)
  const isReadable = statements.every(({ name, attributes }) => name === "Attribute" && attributes.has("Name"))
  yield* checks.require("attributes", isReadable, { found: statements.find(({ name }) => name !== "Attribute")?.name })
  const attributes = new Map<string, ReadonlyArray<string>>()
  for (const statement of statements) {
    const name = statement.attributes.get("Name") ?? ""
    attributes.set(name, [...(attributes.get(name) ?? []), ...valuesOf(statement)])
  }
  return Object.fromEntries(attributes)
})

/** Checks an assertion that is from signed bytes, and returns what it says. */
export const readAssertion = Effect.fnUntraced(function* (
  assertion: XmlElement,
  options: ResponseOptions,
  checks: CheckList
) {
  const id = assertion.attributes.get("ID") ?? ""
  const isAssertion = assertion.name === "Assertion" && assertion.attributes.get("Version") === "2.0" && id !== ""
  yield* checks.require("malformed", isAssertion, { found: assertion.name })
  const issuer = childOf(assertion, namespace, "Issuer")?.text
  yield* checks.require("issuer", issuer === options.idpEntityId, { expected: options.idpEntityId, found: issuer })
  const issued = assertion.attributes.get("IssueInstant") ?? ""
  const issuedAt = parseInstant(issued)
  yield* checks.require("issue_instant", issuedAt !== undefined && issuedAt <= options.now + CLOCK_SKEW, {
    found: issued
  })

  const subject = yield* checks.value("name_id", childOf(assertion, namespace, "Subject"))
  const nameId = yield* checks.value("name_id", childOf(subject, namespace, "NameID"))
  const isPlain = nameId.children.length === 0 && nameId.text !== "" && nameId.text === nameId.text.trim()
  yield* checks.require("name_id", isPlain && nameId.text.length <= MAX_NAME_ID, { found: nameId.text })

  const confirmed = yield* checkConfirmation(subject, options, checks)
  const valid = yield* checkConditions(assertion, options, checks)
  const statement = yield* readAuthnStatement(assertion, options, checks)
  const attributes = yield* readAttributes(assertion, checks)
  const login: SamlLogin = {
    assertionId: id,
    notOnOrAfter: Math.min(confirmed, valid ?? confirmed),
    nameId: nameId.text,
    nameIdFormat: nameId.attributes.get("Format") ?? null,
    ...statement,
    attributes,
    inResponseTo: options.expectedRequestId === "unsolicited" ? null : options.expectedRequestId,
    passed: checks.passed
  }
  return login
})
