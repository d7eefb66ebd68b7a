import { readdirSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"

/** Texts that say that an email has left the service, in English and Spanish. */
const claims = [
  /(?<!\bno )\b(emails?|invitations?|codes?|links?)( to an org)? ((was|were|has been|have been) )?(sent|emailed)\b/i,
  /\bwe ('ve )?(emailed|sent)\b/i,
  /"(sent|emailed|delivered)"/i,
  /\b(correos?|invitación|códigos?|enlaces?)\b[^"`]* enviad[oa]s?\b/i,
  /\b(hemos|se ha) enviado\b/i,
  /"enviad[oa]s?"/i
]

/** The variant of a text for services that send their emails. */
const isSentVariant = (line: string): boolean => /^\s*(\w+: \{ )?sent:/.test(line)

/** The state of any delivery. Emails have a text of their own. */
const isOfDeliveries = (line: string): boolean => /^\s*completed:/.test(line)

const root = new URL("../../src/admin/", import.meta.url)

const catalogs = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) =>
  /Texts(En|Es)?\.ts$/.test(path)
)

test("the console says that an email was sent only in the variant of a text for services that send emails", () => {
  expect(catalogs.length).toBeGreaterThan(20)
  const found = catalogs.flatMap((path) =>
    readFileSync(new URL(path, root), "utf8")
      .split("\n")
      .filter((line) => claims.some((claim) => claim.test(line)) && !isSentVariant(line) && !isOfDeliveries(line))
      .map((line) => `${path}: ${line.trim()}`)
  )
  expect(found).toEqual([])
})
