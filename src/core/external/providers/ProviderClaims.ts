import { canonicalEmail } from "#domain/Email"
import type { ExternalProfile } from "#domain/ExternalLogin"
import { isStorable, isWithin, nonBlank, TEXT_LENGTH } from "#domain/Text"

/** A provider's claims about a person, before validation. Each member may have any type. */
export interface ProviderClaims {
  readonly id: unknown
  readonly email?: unknown
  readonly emailVerified?: unknown
  readonly firstName?: unknown
  readonly lastName?: unknown
  /** The full name, used if the first and last name are missing. */
  readonly name?: unknown
}

/** Returns the member at a path in JSON, such as `data.app_id`. A member whose name itself contains dots takes precedence. */
export const memberAt = (answer: unknown, path: string): unknown => {
  if (typeof answer !== "object" || answer === null) return undefined
  if (Object.hasOwn(answer, path)) return Reflect.get(answer, path)
  const dot = path.indexOf(".")
  const first = path.slice(0, dot)
  return dot > 0 && Object.hasOwn(answer, first) ? memberAt(Reflect.get(answer, first), path.slice(dot + 1)) : undefined
}

const text = (claim: unknown): string | null => {
  if (typeof claim !== "string" || !isStorable(claim)) return null
  const trimmed = nonBlank(claim)?.trim() ?? null
  return trimmed !== null && isWithin(TEXT_LENGTH, trimmed) ? trimmed : null
}

/** Returns the person's ID at the provider as text. Some providers, such as GitHub, use numbers. */
const idOf = (claim: unknown): string | null => text(Number.isSafeInteger(claim) ? String(claim) : claim)

const namesOf = ({ firstName, lastName, name }: ProviderClaims) => {
  const [first, last] = [text(firstName), text(lastName)]
  if (first !== null || last !== null) return { firstName: first, lastName: last }
  const [, given = null, rest = null] = /^(\S+)(?:\s+(.*))?$/s.exec(text(name) ?? "") ?? []
  return { firstName: given, lastName: rest }
}

/** Validates claims. Returns undefined if they contain no ID. An email counts as verified only if its claim is `true`. */
export const profileOf = (claims: ProviderClaims): ExternalProfile | undefined => {
  const providerUserId = idOf(claims.id)
  if (providerUserId === null) return undefined
  const email = typeof claims.email === "string" ? (canonicalEmail(claims.email) ?? null) : null
  const verified = claims.emailVerified === true || claims.emailVerified === "true"
  return { providerUserId, email, emailVerified: email !== null && verified, ...namesOf(claims) }
}

/** Reads the name in the `user` member that Apple sends with the first login. Returns undefined if it is not JSON with a name. */
export const nameInUser = (user: string): Pick<ExternalProfile, "firstName" | "lastName"> | undefined => {
  try {
    const sent: unknown = JSON.parse(user)
    const firstName = text(memberAt(sent, "name.firstName"))
    const lastName = text(memberAt(sent, "name.lastName"))
    return firstName === null && lastName === null ? undefined : { firstName, lastName }
  } catch {
    return undefined
  }
}

/**
 * Completes claims about a person by more claims about the same person. An email and whether it is verified always come from
 * the same source.
 */
export const mergeClaims = (claims: ProviderClaims, more: ProviderClaims): ProviderClaims => {
  const { email, emailVerified } = claims.email === undefined ? more : claims
  const hasName = (claims.firstName ?? claims.lastName ?? claims.name) !== undefined
  const { firstName, lastName, name } = hasName ? claims : more
  return { id: claims.id, email, emailVerified, firstName, lastName, name }
}

/** Reads the standard claims of OpenID Connect. */
export const standardClaims = (claims: unknown): ProviderClaims => ({
  id: memberAt(claims, "sub"),
  email: memberAt(claims, "email"),
  emailVerified: memberAt(claims, "email_verified"),
  firstName: memberAt(claims, "given_name"),
  lastName: memberAt(claims, "family_name"),
  name: memberAt(claims, "name")
})
