import { Api, type Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { oauthClient } from "./oauth.ts"
import { onProfilePage } from "./visitor.ts"

type Filled = Readonly<Record<string, string>>

/** Posts a form to an endpoint of a realm's OpenID Provider, like a client without a browser. */
export const postForm = (
  realm: Pick<GivenRealm, "transport" | "id">,
  endpoint: string,
  fields: Filled | URLSearchParams,
  headers: Filled = {}
): Promise<Reply> =>
  new Api(realm.transport, undefined).call("POST", `/realms/${realm.id}/${endpoint}`, {
    body: new URLSearchParams(fields).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers }
  })

/** A device client. */
export const deviceClient = (realm: GivenRealm, settings: Readonly<Record<string, unknown>> = {}) =>
  oauthClient(realm, { client_type: "device", name: "Television", ...settings })

/** Starts a device authorization. Returns the codes that the device displays and polls with. */
export const beginDevice = async (
  realm: GivenRealm,
  clientId: string,
  fields: Filled = { scope: "openid profile" },
  headers: Filled = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" }
) => {
  const reply = await postForm(realm, "device_authorization", { client_id: clientId, ...fields }, headers)
  if (reply.status !== 200) throw new Error(`No device: ${reply.status} ${reply.text}`)
  return {
    reply,
    deviceCode: reply.string("device_code"),
    userCode: reply.string("user_code"),
    uri: new URL(reply.string("verification_uri_complete"))
  }
}

/** A logged-in user and a waiting device. */
export const withDevice = async (realm: GivenRealm, settings: Readonly<Record<string, unknown>> = {}) => {
  const at = await onProfilePage(realm)
  const client = await deviceClient(realm, settings)
  return { ...at, client, device: await beginDevice(realm, client.id) }
}

export type Waiting = Awaited<ReturnType<typeof withDevice>>

/** Enters a device's code. */
export const enterCode = async ({ visitor }: Pick<Waiting, "visitor">, code: string): Promise<Reply> => {
  await visitor.open("/device")
  return visitor.fill({ user_code: code }, "Continue")
}
