import { Effect } from "effect"
import { countIn, type KeyCount, keyIdsIn } from "#server/inspection/DatabaseInspection"
import { counted, type Finding, ok, problem, warning } from "../Finding.ts"
import { isFinding } from "../Stored.ts"
import type { Check } from "../Subject.ts"

export const storedSecretsFinding = (counts: ReadonlyArray<KeyCount>): Finding => {
  const [all, older, missing] = [
    counts.reduce((sum, { count }) => sum + count, 0),
    countIn("older", counts),
    countIn("missing", counts)
  ]
  if (missing > 0) {
    const keys = keyIdsIn("missing", counts).join(", ") || "none"
    const tables = [...new Set(counts.filter(({ state }) => state === "missing").map(({ column }) => column.table))]
    return problem(
      `${missing} of ${counted(all, "secret")} can't be decrypted, because their key (${keys}) is not in SALLYPORT_SECRET. They are in ${tables.join(", ")}.`,
      "Add that key back after the others on all nodes."
    )
  }
  if (older > 0) {
    return warning(
      `${older} of ${counted(all, "secret")} ${older === 1 ? "is" : "are"} still encrypted with an older key (${keyIdsIn("older", counts).join(", ")}).`,
      "Run sallyport secrets rotate to finish the rotation."
    )
  }
  return ok(`All ${counted(all, "secret")} in the database, including signing keys, are encrypted with the first key.`)
}

/** Checks whether signing keys and other secrets in the database can be decrypted, and with which key. */
export const storedSecrets: Check = {
  name: "stored secrets",
  place: "settings",
  run: ({ stored }) => Effect.map(stored, (found) => (isFinding(found) ? found : storedSecretsFinding(found.counts)))
}
