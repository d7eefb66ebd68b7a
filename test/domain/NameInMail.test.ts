import { expect, test } from "vitest"
import { nameInMail } from "#domain/NameInMail"

const shown = (name: string) => nameInMail(name).replaceAll("\u2060", "|")

test("leaves ordinary names unchanged", () => {
  for (const name of [
    "Ada Lovelace",
    "Dr. Ada Lovelace",
    "St. John's",
    "日本株式会社",
    "Smith & Sons: Pilots",
    "👩‍🚀"
  ]) {
    expect(nameInMail(name)).toBe(name)
  }
  expect(nameInMail("  Ada ")).toBe("Ada")
})

test("SEC-72: breaks up a URL in a name, so that email clients don't turn it into a link", () => {
  expect(
    ["https://evil.test/win", "www.evil.test", "evil.test:8080", "bob@evil.test", "пример.рф", "http:/x"].map(shown)
  ).toEqual([
    "https:|//evil.|test/win",
    "www.|evil.|test",
    "evil.|test:|8080",
    "bob@|evil.|test",
    "пример.|рф",
    "http:|/x"
  ])
})

test("SEC-71: replaces line breaks and direction controls with spaces", () => {
  expect(nameInMail("Acme\r\nBcc: x\u202Egnp\u2028!")).toBe("Acme Bcc: x gnp !")
})

test("SEC-72: cuts a long name between characters, never within a character", () => {
  expect(nameInMail("x".repeat(64))).toBe("x".repeat(64))
  expect(nameInMail("x".repeat(65))).toBe(`${"x".repeat(63)}…`)
  expect(nameInMail("𝒳".repeat(100))).toBe(`${"𝒳".repeat(63)}…`)
})
