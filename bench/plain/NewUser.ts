import { listOf, type Members, textOf } from "./Body.ts"
import { HttpError } from "./HttpError.ts"

const canonical = (text: string): string =>
  text.normalize("NFKC").toLowerCase().normalize("NFKC").toLowerCase().normalize("NFKC").trim()

const emailForm = /^[^\s@<>()[\],;:"\\\p{C}]+@[^\s@<>()[\],;:"\\\p{C}]+$/u

const emailOf = (wrapped: Members): string => {
  const email = canonical(textOf(wrapped, "email") ?? "")
  if (email.length > 254 || !emailForm.test(email))
    throw new HttpError(422, "email", "email_form", "Email is not valid.")
  return email
}

const hashForm = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]{11,64})\$([A-Za-z0-9+/]{22,86})$/

/** Returns the hash of the only credential, or undefined if there are no credentials. */
const passwordHashOf = (wrapped: Members): string | undefined => {
  const [credential, second] = listOf(wrapped, "credentials")
  if (credential === undefined) return undefined
  const hash = credential["credential_type"] === "password" ? credential["password_hash"] : undefined
  const [, m, t, p] = (typeof hash === "string" && hashForm.exec(hash)) || []
  if (second !== undefined || typeof hash !== "string" || Number(m) > 262_144 || Number(t) > 10 || !(Number(p) <= 8)) {
    throw new HttpError(422, "credentials", "unsupported_hash", "The password hash is not supported.")
  }
  return hash
}

/** Validates the members of a new user and derives the columns to store. Orgs are not supported. */
export const newUserOf = (wrapped: Members) => {
  const email = emailOf(wrapped)
  const passwordHash = passwordHashOf(wrapped)
  const username = textOf(wrapped, "username")
  const firstName = textOf(wrapped, "first_name")
  const lastName = textOf(wrapped, "last_name")
  const full = [firstName, lastName].filter((part) => part !== null).join(" ")
  const name = full || username || email.slice(0, email.indexOf("@"))
  return {
    email,
    passwordHash,
    username,
    firstName,
    lastName,
    name,
    locale: textOf(wrapped, "locale"),
    reference: textOf(wrapped, "reference")
  }
}

export type NewUser = ReturnType<typeof newUserOf>

/** The error for an email that belongs to another user. */
export const emailTaken = () => new HttpError(422, "email", "taken", "Email has already been taken.")
