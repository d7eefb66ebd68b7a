import { Context } from "effect"
import type { ExternalProvider, WellKnownType } from "#domain/AuthProvider"
import { Facebook } from "./Facebook.ts"
import { Github } from "./Github.ts"
import { Google } from "./Google.ts"
import { Linkedin } from "./Linkedin.ts"
import { oauth2Preset } from "./OAuth2.ts"
import type { Preset } from "./Preset.ts"
import { Slack } from "./Slack.ts"
import { Yahoo } from "./Yahoo.ts"

export type WellKnownPresets = Readonly<Record<WellKnownType, Preset>>

/** The providers that are known by their type: as they are out there, unless a test has put others in their place. */
export const WellKnown = Context.Reference<WellKnownPresets>("sallyport/core/WellKnown", {
  defaultValue: () => ({
    facebook: Facebook,
    github: Github,
    google: Google,
    linkedin: Linkedin,
    slack: Slack,
    yahoo: Yahoo
  })
})

/** What is known of a provider. */
export const presetOf = (wellKnown: WellKnownPresets, provider: ExternalProvider): Preset =>
  provider.providerType === "oauth2" ? oauth2Preset(provider) : wellKnown[provider.providerType]
