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
  redirect_uris: severalFlag(
    "redirect-uri",
    "uri",
    "Where browsers may be sent back to, as exact text. Can be repeated"
  ),
  post_logout_redirect_uris: severalFlag(
    "logout-uri",
    "uri",
    "Where browsers may be sent to after a log-out that the client asks for. Can be repeated"
  ),
  allowed_scopes: severalFlag("scope", "scope", "What the client may ask for, such as openid. Can be repeated"),
  resources: severalFlag("resource", "url", "An API that access tokens may be for. Can be repeated"),
  consent: Flag.Literals("consent", consentModes).pipe(
    Flag.withMetavar("<when>"),
    Flag.optional,
    Flag.withDescription("Whether people are asked before the client gets access. Default: skip, as for your own apps")
  ),
  set: severalFlag(
    "set",
    "setting=value",
    "Any other setting, by its name in the API: require_par=true, login_handler=https://example.com/. Can be repeated"
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
  const twice = Object.keys(others).find((name) => Object.hasOwn(named, name))
  if (twice !== undefined)
    throw new WrongUsage({ happened: `${twice} is given twice: by --set, and by its own option.` })
  return { ...named, ...others }
}
