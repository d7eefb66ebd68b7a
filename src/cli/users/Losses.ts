import { visible } from "../Visible.ts"
import type { Losses } from "./Conversion.ts"
import { attributeOption } from "./Mapping.ts"
import { count, numeral } from "./Messages.ts"
import type { Preset } from "./presets/Preset.ts"
import { looksSecret } from "./SecretColumns.ts"

const passedAs = {
  deleted: "deleted in the other system",
  guest: "guests without an account",
  program: "service accounts"
} as const

const sum = (counts: ReadonlyMap<unknown, number>): number => [...counts.values()].reduce((all, one) => all + one, 0)

const list = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([name, number]) => `${visible(name)} ${numeral(number)}`).join(", ")

/** Describes what was not imported, or was changed. */
export const lossMessages = (losses: Losses, preset: Preset | undefined): ReadonlyArray<string> => {
  const { passwords, withoutLogin, authenticators, profiles, skipped, unknown, leftOut } = losses
  const sentences: Array<string> = []
  if (withoutLogin > 0) {
    const why = preset?.passwords === undefined ? "" : ` ${preset.passwords}`
    sentences.push(
      `${count(withoutLogin, "user")} imported without a password or a profile. They can set a password with “Forgot password?” on the login page.${why}`
    )
  } else if (passwords > 0) {
    sentences.push(`${count(passwords, "password")} not imported: their hash format is not supported.`)
  }
  if (losses.temporaryPasswords > 0) {
    sentences.push(
      `${count(losses.temporaryPasswords, "password")} not imported: users had to change them at their next login.`
    )
  }
  if (authenticators > 0) {
    sentences.push(
      `${count(authenticators, "second factor")} not imported: only authenticator apps with six digits, 30 seconds and SHA-1 are supported.`
    )
  }
  if (profiles.size > 0) {
    sentences.push(`${count(sum(profiles), "profile")} at providers not imported (${list(profiles)}).`)
  }
  if (losses.requiredActions.size > 0) {
    const actions = losses.requiredActions
    sentences.push(`${count(sum(actions), "required action")} for the next login not imported (${list(actions)}).`)
  }
  for (const [column, number] of losses.locks) {
    sentences.push(
      `${count(number, "user is", "users are")} inactive because of ${column}, until you activate them. The time is in the custom attribute ${column}. To import them as active: --map '${column}='.`
    )
  }
  for (const [as, number] of skipped) sentences.push(`${count(number, "user")} skipped: ${passedAs[as]}.`)
  const columns = new Map([...unknown, ...leftOut])
  if (columns.size > 0) {
    const first = [...columns.keys()].find((column) => !looksSecret(column))
    const keepHint = first === undefined ? "" : ` To import one as a custom attribute: ${attributeOption(first)}.`
    sentences.push(`Skipped columns: ${list(columns)}.${keepHint}`)
  }
  return sentences
}

/** Formats the losses as JSON. */
export const lossesJson = (losses: Losses) => ({
  passwords: losses.passwords,
  temporary_passwords: losses.temporaryPasswords,
  users_without_login: losses.withoutLogin,
  second_factors: losses.authenticators,
  profiles: Object.fromEntries(losses.profiles),
  required_actions: Object.fromEntries(losses.requiredActions),
  locks: Object.fromEntries(losses.locks),
  passed_over: Object.fromEntries(losses.skipped),
  columns: Object.fromEntries([...losses.unknown, ...losses.leftOut])
})
