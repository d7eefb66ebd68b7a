import { Context } from "effect"
import type { ExternalProvider, OidcProvider } from "#domain/AuthProvider"
import type { WellKnownType } from "#domain/WellKnownProviders"
import { Apple } from "./Apple.ts"
import { Facebook } from "./Facebook.ts"
import { Github } from "./Github.ts"
import { Google } from "./Google.ts"
import { Linkedin } from "./Linkedin.ts"
import { Microsoft, microsoftPreset } from "./Microsoft.ts"
import { oauth2Preset } from "./OAuth2.ts"
import type { Preset } from "./Preset.ts"
import { Slack } from "./Slack.ts"
import { Yahoo } from "./Yahoo.ts"

export type WellKnownPresets = Readonly<Record<WellKnownType, Preset>>

/** The presets of the well-known providers. Tests can replace them. */
export const WellKnown = Context.Reference<WellKnownPresets>("sallyport/core/WellKnown", {
  defaultValue: () => ({
    apple: Apple,
    facebook: Facebook,
    github: Github,
    google: Google,
    linkedin: Linkedin,
    microsoft: Microsoft,
    slack: Slack,
    yahoo: Yahoo
  })
})

/** Returns the preset for a provider whose endpoints are built in or in its settings. */
export const presetOf = (wellKnown: WellKnownPresets, provider: Exclude<ExternalProvider, OidcProvider>): Preset => {
  if (provider.providerType === "oauth2") return oauth2Preset(provider)
  const preset = wellKnown[provider.providerType]
  return provider.providerType === "microsoft" ? microsoftPreset(preset, provider) : preset
}
