import type { WebhookRequest } from "#client/Webhook"
import type { ReceivedPost } from "#testing/Receiver"
import { turnedRealm, webhook } from "../support/hooks.ts"

/** A webhook message about a created user, as posted by the service. */
export const postedWebhook = async () => {
  const { realm, receiver, advance } = await turnedRealm()
  const hook = await webhook(realm, { event_type: ["user.created"] })
  const user = await realm.user({ first_name: "Zoë", custom: { motto: "ünïcödé ✓" } })
  await advance(0)
  const [post] = receiver.to(hook.string("destination"))
  if (post === undefined) throw new Error("Nothing was posted.")
  return { realm, receiver, advance, hook, user, post, secret: hook.string("secret") }
}

/** The message as the request that an app receives. */
export const requestOf = ({ body, headers, at }: ReceivedPost, secret: WebhookRequest["secret"]) => ({
  body,
  headers,
  secret,
  now: () => new Date(at.epochMilliseconds)
})
