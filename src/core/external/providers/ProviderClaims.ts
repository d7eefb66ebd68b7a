import { canonicalEmail } from "#domain/Email"
import type { ExternalProfile } from "#domain/ExternalLogin"
import { isStorable, isWithin, presence, TEXT_LENGTH } from "#domain/Text"

/** What a provider says of a person, before any of it is believed: each member may be anything. */
export interface ProviderClaims {
  readonly id: unknown
  readonly email?: unknown
  readonly emailVerified?: unknown
  readonly firstName?: unknown
  readonly lastName?: unknown
  /** All names in one, for who has no others. */
  readonly name?: unknown
}

/** A member of an answer, or of what is within it, by names with dots between. */
export const memberAt = (answer: unknown, path: string): unknown => {
  if (typeof answer !== "object" || answer === null) return undefined
  if (Object.hasOwn(answer, path)) return Reflect.get(answer, path)
  const dot = path.indexOf(".")
  const first = path.slice(0, dot)
  return dot > 0 && Object.hasOwn(answer, first) ? memberAt(Reflect.get(answer, first), path.slice(dot + 1)) : undefined
}

const text = (told: unknown): string | null => {
  if (typeof told !== "string" || !isStorable(told)) return null
  const typed = presence(told)?.trim() ?? null
  return typed !== null && isWithin(TEXT_LENGTH, typed) ? typed : null
}

/** Who somebody is to the provider: text, or a number as GitHub and others count their users. */
const idOf = (told: unknown): string | null => text(Number.isSafeInteger(told) ? String(told) : told)

const namesOf = ({ firstName, lastName, name }: ProviderClaims) => {
  const [first, last] = [text(firstName), text(lastName)]
  if (first !== null || last !== null) return { firstName: first, lastName: last }
  const [, given = null, rest = null] = /^(\S+)(?:\s+(.*))?$/s.exec(text(name) ?? "") ?? []
  return { firstName: given, lastName: rest }
}

/** The person that was told of; undefined for nobody in particular. Only a clear yes verifies an e-mail. */
export const profileOf = (told: ProviderClaims): ExternalProfile | undefined => {
  const providerUserId = idOf(told.id)
  if (providerUserId === null) return undefined
  const email = typeof told.email === "string" ? (canonicalEmail(told.email) ?? null) : null
  const verified = told.emailVerified === true || told.emailVerified === "true"
  return { providerUserId, email, emailVerified: email !== null && verified, ...namesOf(told) }
}

/** The standard claims of OpenID Connect. */
export const standardClaims = (claims: unknown): ProviderClaims => ({
  id: memberAt(claims, "sub"),
  email: memberAt(claims, "email"),
  emailVerified: memberAt(claims, "email_verified"),
  firstName: memberAt(claims, "given_name"),
  lastName: memberAt(claims, "family_name"),
  name: memberAt(claims, "name")
})
