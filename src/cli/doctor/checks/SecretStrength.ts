import { statSync } from "node:fs"
import { Effect, Redacted } from "effect"
import { type Finding, ok, problem, warning } from "../Finding.ts"
import { type Check, isProduction, type Subject } from "../Subject.ts"

/** Words that people put into secrets that they make up, or that examples have. */
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

/** Fewer different characters than a random text of this length has. */
const FEWEST_DIFFERENT = 10

/** Why somebody could guess a secret; undefined if it looks random. */
export const weakness = (secret: string): string | undefined => {
  if (new Set(secret).size < FEWEST_DIFFERENT) return "repeats a few characters"
  const lowered = secret.toLowerCase()
  const word = MADE_UP.find((each) => lowered.includes(each))
  return word === undefined ? undefined : `contains “${word}”, so it looks made up`
}

/** Folders where container platforms mount secrets, readable by every user of the container. */
const MOUNTED = /^\/(?:var\/)?run\/secrets\//

const READABLE_BY_OTHERS = 0o004

/** Whether every user of the machine may read a file. */
const isOpenToOthers = (file: string): boolean => {
  try {
    return !MOUNTED.test(file) && (statSync(file).mode & READABLE_BY_OTHERS) !== 0
  } catch {
    return false
  }
}

const RANDOM = "openssl rand -hex 32"

const strengthFindings = (subject: Subject): ReadonlyArray<Finding> => {
  const { secrets, rootKey } = subject.settings
  const weak = isProduction(subject) ? problem : warning
  const named = [
    ...secrets.map((value, at) => ({
      name: secrets.length === 1 ? "SALLYPORT_SECRET" : `Key ${at + 1} of SALLYPORT_SECRET`,
      value: Redacted.value(value),
      todo: "Replace it with sallyport secrets rotate."
    })),
    ...(rootKey === undefined
      ? []
      : [
          {
            name: "SALLYPORT_ROOT_KEY",
            value: Redacted.value(rootKey),
            todo: `Set a random one on all nodes (${RANDOM}), and restart them.`
          }
        ])
  ]
  const findings = named.flatMap(({ name, value, todo }) => {
    const why = weakness(value)
    return why === undefined ? [] : [weak(`${name} ${why}.`, todo)]
  })
  const isShared = rootKey !== undefined && secrets.some((key) => Redacted.value(key) === Redacted.value(rootKey))
  if (!isShared) return findings
  const says = "SALLYPORT_ROOT_KEY is also a key of SALLYPORT_SECRET, so who has one has both."
  return [...findings, problem(says, `Set a root key of its own (${RANDOM}).`)]
}

const names = ["DATABASE_URL", "SALLYPORT_ROOT_KEY", "SALLYPORT_SECRET", "SALLYPORT_SMTP_URL"]

/** Whether secrets can be guessed, or read by others. */
export const secretStrength: Check = {
  name: "secrets",
  place: "settings",
  run: (subject) =>
    Effect.sync(() => {
      const { environment } = subject
      const isSet = (name: string) => (environment[name]?.trim() ?? "") !== ""
      const open = names.flatMap((name) => {
        const file = environment[`${name}_FILE`]?.trim() ?? ""
        if (file === "" || !isOpenToOthers(file)) return []
        return [warning(`Every user of this machine may read ${file} (${name}_FILE).`, `chmod 600 ${file}`)]
      })
      const findings = [...strengthFindings(subject), ...open]
      if (findings.length > 0) return findings
      const [first] = names.filter(isSet)
      if (first === undefined) return ok("No secret can be guessed or is open to others.")
      const where = names.filter(isSet).join(", ")
      return ok(
        `No secret looks guessable. In the environment: ${where}; a file (${first}_FILE) keeps it from child processes and crash reports.`
      )
    })
}
