import { Context, type Duration, Effect, Layer, Scope } from "effect"
import { expect, inject } from "vitest"
import { ConsoleFolder } from "#http/console/ConsoleFiles"
import { Given } from "#testing/Given"
import type { Postbox } from "#testing/Postbox"
import type { Receiver } from "#testing/Receiver"
import { TestSallyport } from "#testing/TestSallyport"
import { freshDatabase } from "../support/databases.ts"
import { freePort } from "./Site.ts"

/** A service that browsers find: what it says of its addresses is so. */
export interface BrowserService {
  readonly publicUrl: string
  readonly key: string
  readonly given: Given
  readonly postbox: Postbox
  /** What stands for every backend that webhooks go to. */
  readonly receiver: Receiver
  /** Unix milliseconds: it began at the browser's own time. */
  readonly now: () => number
  readonly advance: (by: Duration.Input) => Promise<number>
}

/**
 * A service of its own, for what compares its time with the browser's: no other test has turned its clock. `path`: of its public
 * URL.
 */
export const newBrowserService = async (path = ""): Promise<BrowserService> => {
  const port = await freePort()
  const publicUrl = `http://localhost:${port}${path}`
  const layer = TestSallyport.layer({ database: await freshDatabase(), port, publicUrl, startsAt: Date.now() }).pipe(
    Layer.provide(Layer.succeed(ConsoleFolder, new URL(inject("console"))))
  )
  const context = await Effect.runPromise(Layer.buildWithScope(layer, Scope.makeUnsafe()))
  const { url, key, clock, postbox, receiver, advance } = Context.get(context, TestSallyport)
  return {
    publicUrl,
    key,
    given: new Given(url, key),
    postbox,
    receiver,
    now: () => clock.currentTimeMillisUnsafe(),
    advance: (by) => Effect.runPromise(advance(by))
  }
}

let started: Promise<BrowserService> | undefined

/** The service of the run; tests keep apart by realm. */
export const browserService = (): Promise<BrowserService> => (started ??= newBrowserService())

/** The subjects of the mails that wait for somebody. */
export const mailedSubjects = async (recipient: string): Promise<ReadonlyArray<string>> => {
  const { advance, postbox } = await browserService()
  await advance("1 minute")
  return postbox.take(recipient).map(({ subject }) => subject)
}

/** The link of the one mail that waits for somebody. */
export const mailedLink = async (recipient: string): Promise<string> => {
  const { advance, postbox } = await browserService()
  await advance("1 minute")
  const mails = postbox.take(recipient)
  expect(mails.map(({ to }) => to)).toEqual([recipient])
  const [link] = /https?:\/\/[^\s>]+/.exec(mails[0]?.text ?? "") ?? []
  if (link === undefined) throw new Error(`No link in the mail to ${recipient}: ${mails[0]?.text}`)
  return link
}
