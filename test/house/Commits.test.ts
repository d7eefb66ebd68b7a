import { execFileSync } from "node:child_process"
import { resolve } from "node:path"
import { describe, expect, test } from "vitest"

const root = resolve(import.meta.dirname, "../..")

/** The time at which the rule was introduced. Older subjects are not checked. */
const SINCE = "2026-11-28T11:00:00Z"

/** Verbs that a subject may begin with although they don't look like imperatives. */
const imperatives = ["address", "bring", "embed", "feed", "need", "pass", "process", "ring", "seed", "speed", "string"]

/** Words that subjects begin with by mistake: nouns, pronouns, adverbs and articles. */
const notVerbs =
  "a all also an and another but each every from in it its more new no not of on one only plain some that the there they this what when where which who with".split(
    " "
  )

/** The problems of a commit's subject, by rule 6 of the style guide: a short imperative. */
const problemsOf = (subject: string): ReadonlyArray<string> => {
  const first = subject.split(/[\s,:]/, 1)[0] ?? ""
  const word = first.toLowerCase()
  const isOtherForm = /(?:ed|ing|[^s]s)$/.test(word) && !imperatives.includes(word)
  return [
    ...(subject.length > 72 ? [`${subject.length} characters, at most 72`] : []),
    ...(subject.endsWith(".") ? ["ends with a full stop"] : []),
    ...(/^[A-Z]/.test(first) ? [] : ["does not begin with a capital letter"]),
    ...(isOtherForm || notVerbs.includes(word) ? [`"${first}" is not an imperative`] : [])
  ]
}

/** The subjects of the commits that must follow the rule. Empty if the sources came without their history. */
const subjects = (): ReadonlyArray<string> => {
  try {
    const log = execFileSync("git", ["log", "--no-merges", `--since=${SINCE}`, "--format=%s"], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"]
    })
    return log.split("\n").filter((subject) => subject !== "")
  } catch {
    return []
  }
}

describe("commit subjects", () => {
  test("are imperatives of at most 72 characters", () => {
    const wrong = subjects().flatMap((subject) => problemsOf(subject).map((problem) => `${subject}: ${problem}`))
    expect(wrong).toEqual([])
  })

  test.each([
    ["Reject request bodies that are not UTF-8", []],
    ["Pass the realm to the mailer", []],
    ["Rejected bodies that are not UTF-8", ['"Rejected" is not an imperative']],
    ["Rejects bodies that are not UTF-8", ['"Rejects" is not an imperative']],
    ["The bodies that are not UTF-8", ['"The" is not an imperative']],
    ["reject bodies that are not UTF-8.", ["ends with a full stop", "does not begin with a capital letter"]],
    [`Reject ${"very ".repeat(14)}long bodies`, ["88 characters, at most 72"]]
  ])("are judged correctly by the rule: %j", (subject, problems) => {
    expect(problemsOf(subject)).toEqual(problems)
  })
})
