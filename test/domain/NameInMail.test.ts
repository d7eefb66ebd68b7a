import { expect, test } from "vitest"
import { nameInMail } from "#domain/NameInMail"

const shown = (name: string) => nameInMail(name).replaceAll("\u2060", "|")

test("names are shown as they are", () => {
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

test("SEC-72: an address in a name is broken, so that no mail client makes a link of it", () => {
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

test("SEC-71: what breaks a line or turns the direction of a text is a space", () => {
  expect(nameInMail("Acme\r\nBcc: x\u202Egnp\u2028!")).toBe("Acme Bcc: x gnp !")
})

test("SEC-72: a long name is cut, between characters", () => {
  expect(nameInMail("x".repeat(64))).toBe("x".repeat(64))
  expect(nameInMail("x".repeat(65))).toBe(`${"x".repeat(63)}…`)
  expect(nameInMail("𝒳".repeat(100))).toBe(`${"𝒳".repeat(63)}…`)
})
