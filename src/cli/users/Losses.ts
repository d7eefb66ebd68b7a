import { visible } from "../Visible.ts"
import type { Losses } from "./Conversion.ts"
import { attributeOption } from "./Mapping.ts"
import type { Preset } from "./presets/Preset.ts"
import { looksSecret } from "./SecretColumns.ts"
import { count, numeral } from "./Sentences.ts"

const passedAs = {
  deleted: "deleted in the other system",
  guest: "guests without an account",
  program: "service accounts, which are programs"
} as const

const sum = (counts: ReadonlyMap<unknown, number>): number => [...counts.values()].reduce((all, one) => all + one, 0)

const list = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([name, number]) => `${name} ${numeral(number)}`).join(", ")

/** What of the input did not come along, as sentences. */
export const lossSentences = (losses: Losses, preset: Preset | undefined): ReadonlyArray<string> => {
  const { passwords, withoutLogin, authenticators, profiles, passed, columns } = losses
  const sentences: Array<string> = []
  if (withoutLogin > 0) {
    const why = preset?.passwords === undefined ? "" : ` ${preset.passwords}`
    sentences.push(
      `${count(withoutLogin, "user")} came without a password or a profile. They set a password by mail, with “Forgot password?” on the login page.${why}`
    )
  } else if (passwords > 0) {
    sentences.push(`${count(passwords, "password")} did not come along, since the service can't check their hashes.`)
  }
  if (authenticators > 0) {
    sentences.push(
      `${count(authenticators, "second factor")} did not come along: only authenticator apps do, with codes of six digits, 30 seconds and SHA-1.`
    )
  }
  if (profiles.size > 0) {
    sentences.push(`${count(sum(profiles), "profile")} at providers did not come along (${list(profiles)}).`)
  }
  for (const [as, number] of passed) sentences.push(`${count(number, "user")} passed over: ${passedAs[as]}.`)
  if (columns.size > 0) {
    const first = [...columns].find((column) => !looksSecret(column))
    const keep = first === undefined ? "" : ` To keep one as a custom attribute: ${attributeOption(first)}.`
    sentences.push(`Left out: ${visible([...columns].join(", "))}.${keep}`)
  }
  return sentences
}

/** The same for programs. */
export const lossesJson = ({ passwords, withoutLogin, authenticators, profiles, passed, columns }: Losses) => ({
  passwords,
  users_without_login: withoutLogin,
  second_factors: authenticators,
  profiles: Object.fromEntries(profiles),
  passed_over: Object.fromEntries(passed),
  columns: [...columns]
})
