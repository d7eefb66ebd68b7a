import { statSync } from "node:fs"
import { Effect, Redacted } from "effect"
import { weakSecrets } from "#server/SecretStrength"
import { type Finding, ok, problem, warning } from "../Finding.ts"
import { type Check, isProduction, type Subject } from "../Subject.ts"

/** Folders where container platforms mount secrets, readable by every user in the container. */
const MOUNTED = /^\/(?:var\/)?run\/secrets\//

const READABLE_BY_OTHERS = 0o004

/** Whether every user of the machine can read a file. */
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
  const findings = weakSecrets(subject.settings).map(({ setting, name, why }) =>
    weak(
      `${name} ${why}.`,
      setting === "SALLYPORT_SECRET"
        ? "Replace it with sallyport secrets rotate."
        : `Set a random value on all nodes (${RANDOM}), and restart them.`
    )
  )
  const isShared = rootKey !== undefined && secrets.some((key) => Redacted.value(key) === Redacted.value(rootKey))
  if (!isShared) return findings
  const says = "SALLYPORT_ROOT_KEY is also a key in SALLYPORT_SECRET, so anyone who has one has both."
  return [...findings, problem(says, `Set a separate root key (${RANDOM}).`)]
}

const names = ["DATABASE_URL", "SALLYPORT_ROOT_KEY", "SALLYPORT_SECRET", "SALLYPORT_SMTP_URL"]

/** Checks whether secrets can be guessed, or read by other users. */
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
        return [warning(`Every user of this machine can read ${file} (${name}_FILE).`, `chmod 600 ${file}`)]
      })
      const findings = [...strengthFindings(subject), ...open]
      if (findings.length > 0) return findings
      const [first] = names.filter(isSet)
      if (first === undefined) return ok("No secret can be guessed or read by others.")
      const where = names.filter(isSet).join(", ")
      return ok(
        `No secret looks guessable. In the environment: ${where}; a file (${first}_FILE) would hide it from child processes and crash reports.`
      )
    })
}
