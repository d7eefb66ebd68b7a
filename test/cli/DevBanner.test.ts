import { expect, test } from "vitest"
import { type DevFacts, devBanner, devJson } from "#cli/dev/DevBanner"
import { styleOf } from "#cli/Style"

const facts: DevFacts = {
  url: "http://localhost:3000",
  realmId: "rl_1",
  appId: "ca_1",
  key: "sk_1",
  rootKey: "sk_2",
  loginUrl: "http://my-app.local.localhost:3000/login",
  consoleLoginUrl: undefined,
  callback: "http://localhost:3001/callback",
  dataDir: "kept"
}

const linesOf = (consoleLoginUrl: string | undefined) => {
  const lines = devBanner({ ...facts, consoleLoginUrl }, styleOf(false, true)).split("\n")
  const first = lines.findIndex((line) => line.startsWith("  Console"))
  return lines.slice(first, first + 2)
}

test("C308: sallyport dev prints a login link to the console, unless API keys may not log in", () => {
  const link = `${facts.url}/console#login=abc`
  expect(linesOf(link)).toEqual([
    `  Console     ${link}`,
    "              logs you in with the root key; the link works once, for 15 minutes"
  ])
  expect(devJson({ ...facts, consoleLoginUrl: link })).toMatchObject({ console_login_url: link })
  expect(linesOf(undefined)).toEqual([
    "  Console     http://localhost:3000/console",
    "              log in with your own account"
  ])
  expect(devJson(facts)).toMatchObject({ console_url: `${facts.url}/console`, console_login_url: null })
})
