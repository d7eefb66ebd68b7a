import { Context, type Duration, Effect, Layer, Scope } from "effect"
import { expect, inject } from "vitest"
import type { DnsPlan } from "#domain/DnsPlan"
import { ConsoleFolder } from "#http/console/ConsoleFiles"
import { Given } from "#testing/Given"
import type { Postbox } from "#testing/Postbox"
import type { Receiver } from "#testing/Receiver"
import type { TestOptions } from "#testing/TestOptions"
import { TestSallyport } from "#testing/TestSallyport"
import { freshDatabase } from "../support/databases.ts"
import { freePort } from "./Site.ts"

/** A service reachable by browsers at its public URL. */
export interface BrowserService {
  readonly publicUrl: string
  readonly key: string
  readonly given: Given
  readonly postbox: Postbox
  /** The DNS records that the service finds. */
  readonly dns: DnsPlan
  /** Receives the requests of all webhooks. */
  readonly receiver: Receiver
  /** The service's time in Unix milliseconds. It started at the browser's time. */
  readonly now: () => number
  readonly advance: (by: Duration.Input) => Promise<number>
}

/**
 * A separate service whose clock no other test has advanced, for tests that compare it with the browser's. `path`: the
 * path of its public URL. `mail`: where its emails go.
 */
export const newBrowserService = async (path = "", mail: TestOptions["mail"] = "captured"): Promise<BrowserService> => {
  const port = await freePort()
  const publicUrl = `http://localhost:${port}${path}`
  const layer = TestSallyport.layer({
    database: await freshDatabase(),
    port,
    publicUrl,
    mail,
    startsAt: Date.now()
  }).pipe(Layer.provide(Layer.succeed(ConsoleFolder, new URL(inject("console")))))
  const context = await Effect.runPromise(Layer.buildWithScope(layer, Scope.makeUnsafe()))
  const { url, key, clock, dns, postbox, receiver, advance } = Context.get(context, TestSallyport)
  return {
    publicUrl,
    key,
    given: new Given(url, key),
    postbox,
    dns,
    receiver,
    now: () => clock.currentTimeMillisUnsafe(),
    advance: (by) => Effect.runPromise(advance(by))
  }
}

let started: Promise<BrowserService> | undefined

/** The shared service of the run. Tests are isolated by realm. */
export const browserService = (): Promise<BrowserService> => (started ??= newBrowserService())

/** The subjects of the emails waiting for a recipient. */
export const emailSubjects = async (recipient: string): Promise<ReadonlyArray<string>> => {
  const { advance, postbox } = await browserService()
  await advance("1 minute")
  return postbox.take(recipient).map(({ subject }) => subject)
}

/** The link in the only email waiting for a recipient. */
export const emailLink = async (recipient: string): Promise<string> => {
  const { advance, postbox } = await browserService()
  await advance("1 minute")
  const mails = postbox.take(recipient)
  expect(mails.map(({ to }) => to)).toEqual([recipient])
  const [link] = /https?:\/\/[^\s>]+/.exec(mails[0]?.text ?? "") ?? []
  if (link === undefined) throw new Error(`No link in the email to ${recipient}: ${mails[0]?.text}`)
  return link
}
