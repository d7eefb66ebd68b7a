import { Option } from "effect"
import { Flag } from "effect/cli"
import { Settings } from "#api/apps/Fields"
import type { ConnectedAppInput } from "#client/generated/types/ConnectedAppInput"
import { consentModes } from "#domain/clients/OAuthClient"
import { WrongUsage } from "../CommandFailed.ts"
import { severalFlag } from "../Flags.ts"
import { type Settable, settingsOf } from "../Settings.ts"

const settable: Settable = {
  plural: "Apps",
  names: Object.keys(Settings.fields),
  example: "access_token_minutes=10"
}

/** The options for the most common app settings. */
export const settingFlags = {
  redirect_uris: severalFlag("redirect-uri", "uri", "An allowed redirect URI, matched exactly. Can be repeated"),
  post_logout_redirect_uris: severalFlag(
    "logout-uri",
    "uri",
    "An allowed redirect URI after a logout requested by the client. Can be repeated"
  ),
  allowed_scopes: severalFlag("scope", "scope", "A scope the client may request, such as openid. Can be repeated"),
  resources: severalFlag("resource", "url", "An API that access tokens may be issued for. Can be repeated"),
  consent: Flag.Literals("consent", consentModes).pipe(
    Flag.withMetavar("<when>"),
    Flag.optional,
    Flag.withDescription("Whether users are asked before the client gets access. Default: skip, as for your own apps")
  ),
  set: severalFlag(
    "set",
    "setting=value",
    "Any other setting by its API name: require_par=true, login_handler=https://example.com/. Can be repeated"
  )
}

/** The values of `settingFlags`. */
interface Given
  extends Readonly<
    Record<
      "redirect_uris" | "post_logout_redirect_uris" | "allowed_scopes" | "resources" | "set",
      ReadonlyArray<string>
    >
  > {
  readonly consent: Option.Option<(typeof consentModes)[number]>
}

/** Splits the values of a repeatable option at spaces. */
const words = (texts: ReadonlyArray<string>) => texts.flatMap((text) => text.split(/\s+/)).filter((word) => word !== "")

/** Converts the options to settings. Throws `WrongUsage` for a setting that is given twice. */
export const appSettingsOf = (given: Given): ConnectedAppInput => {
  const { redirect_uris, post_logout_redirect_uris, allowed_scopes, resources } = given
  const lists = { redirect_uris, post_logout_redirect_uris, allowed_scopes, resources }
  const filled = Object.entries(lists).flatMap(([name, texts]) =>
    texts.length === 0 ? [] : [[name, words(texts)] as const]
  )
  const consent = Option.getOrUndefined(given.consent)
  const named = { ...Object.fromEntries(filled), ...(consent === undefined ? {} : { consent }) }
  const others: ConnectedAppInput = settingsOf(settable, given.set)
  const duplicate = Object.keys(others).find((name) => Object.hasOwn(named, name))
  if (duplicate !== undefined)
    throw new WrongUsage({ happened: `${duplicate} is given twice: with --set and with its own option.` })
  return { ...named, ...others }
}
