import { Redacted } from "effect"
import type { Settings } from "./Config.ts"

/** Words that are common in made-up and example secrets. */
const MADE_UP = [
  "change-me",
  "changeme",
  "change_me",
  "please",
  "example",
  "password",
  "secret",
  "default",
  "sallyport",
  "characters",
  "123456",
  "abcdef",
  "qwert"
]

/** The minimum number of different characters. A random secret of the required length has at least as many. */
const MIN_DISTINCT_CHARACTERS = 10

/** Returns why a secret could be guessed, or undefined if it looks random. */
export const weakness = (secret: string): string | undefined => {
  if (new Set(secret).size < MIN_DISTINCT_CHARACTERS) return "repeats a few characters"
  const lowered = secret.toLowerCase()
  const word = MADE_UP.find((each) => lowered.includes(each))
  return word === undefined ? undefined : `contains “${word}”, so it looks made up`
}

/** A configured secret that could be guessed. `name`: how to refer to it; `why`: the rest of the sentence. */
export interface WeakSecret {
  readonly setting: "SALLYPORT_SECRET" | "SALLYPORT_ROOT_KEY"
  readonly name: string
  readonly why: string
}

/** Returns the secrets in the settings that don't look random. Reveals nothing about a secret except a common word in it. */
export const weakSecrets = ({ secrets, rootKey }: Pick<Settings, "secrets" | "rootKey">): ReadonlyArray<WeakSecret> => {
  const keys = secrets.map((value, at) => ({
    setting: "SALLYPORT_SECRET" as const,
    name: secrets.length === 1 ? "SALLYPORT_SECRET" : `Key ${at + 1} of SALLYPORT_SECRET`,
    value
  }))
  const root = rootKey === undefined ? [] : [{ name: "SALLYPORT_ROOT_KEY", value: rootKey }]
  const all = [...keys, ...root.map((one) => ({ ...one, setting: "SALLYPORT_ROOT_KEY" as const }))]
  return all.flatMap(({ value, ...named }) => {
    const why = weakness(Redacted.value(value))
    return why === undefined ? [] : [{ ...named, why }]
  })
}
