import { Context } from "effect"
import type { ExternalProvider } from "#domain/AuthProvider"
import type { WellKnownType } from "#domain/WellKnownProviders"
import { Facebook } from "./Facebook.ts"
import { Github } from "./Github.ts"
import { Google } from "./Google.ts"
import { Linkedin } from "./Linkedin.ts"
import { oauth2Preset } from "./OAuth2.ts"
import type { Preset } from "./Preset.ts"
import { Slack } from "./Slack.ts"
import { Yahoo } from "./Yahoo.ts"

export type WellKnownPresets = Readonly<Record<WellKnownType, Preset>>

/** The presets of the well-known providers. Tests can replace them. */
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

/** Returns the preset for a provider. */
export const presetOf = (wellKnown: WellKnownPresets, provider: ExternalProvider): Preset =>
  provider.providerType === "oauth2" ? oauth2Preset(provider) : wellKnown[provider.providerType]
