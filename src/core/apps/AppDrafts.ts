import { Effect } from "effect"
import { logoMembers } from "#domain/Appearance"
import type { AppDraft, ConnectedApp } from "#domain/ConnectedApp"
import { applyAppInput, appProblems, type ConnectedAppInput } from "#domain/ConnectedAppInput"
import type { Locale } from "#domain/Locale"
import type { PreviewedPage } from "#domain/PreviewedPage"
import { type CleanContent, contentReader } from "../appearance/CleanContent.ts"
import { withLogos } from "../appearance/SavedLogos.ts"
import { ConnectedApps } from "./ConnectedApps.ts"

export const previewThemes = ["light", "dark"] as const

/** A preview of one page with the settings of a draft. */
export interface PagePreview extends AppDraft {
  readonly page: PreviewedPage
  readonly locale: Locale
  readonly theme: (typeof previewThemes)[number]
}

/** Applies settings to an app. Where the input has a problem, the app keeps its current value. */
const withAccepted = (before: ConnectedApp, input: ConnectedAppInput, content: CleanContent): ConnectedApp => {
  const after = applyAppInput(before, { ...input, ...content.markup })
  // Length limits apply to the markup as sent, since cleaning can make it longer.
  const sent = applyAppInput({ ...before, header: null, footer: null }, input)
  const problems = [...appProblems(before, sent, "v2"), ...content.problems]
  const rejected = new Set(problems.map(({ field }) => field))
  const accepted = <A>(field: string, current: A, changed: A): A => (rejected.has(field) ? current : changed)
  return {
    ...after,
    header: accepted("header", before.header, after.header),
    footer: accepted("footer", before.footer, after.footer),
    externalCss: accepted("external_css", before.externalCss, after.externalCss),
    appearance: {
      ...after.appearance,
      name: accepted("appearance.name", before.appearance.name, after.appearance.name),
      color: accepted("appearance.color", before.appearance.color, after.appearance.color),
      darkColor: accepted("appearance.dark_color", before.appearance.darkColor, after.appearance.darkColor),
      background: accepted("appearance.background", before.appearance.background, after.appearance.background),
      darkBackground: accepted(
        "appearance.dark_background",
        before.appearance.darkBackground,
        after.appearance.darkBackground
      )
    }
  }
}

/** Makes drafts of apps. The settings are validated and cleaned as if they were being saved, but nothing is stored. */
export const appDrafts = Effect.gen(function* () {
  const apps = yield* ConnectedApps
  const readContent = yield* contentReader
  return Effect.fn("AppDrafts.of")(function* (before: ConnectedApp, input: ConnectedAppInput) {
    const content = yield* readContent(input)
    const sent = content.logos
    const app = withLogos(withAccepted(before, input, content), sent)
    const saved = yield* Effect.forEach(logoMembers, (member) => apps.logo(before, app.appearance[member] ?? ""))
    const logos = [...Object.values(sent.logos), ...saved].filter((one) => one !== undefined)
    const draft: AppDraft = { app, logos }
    return draft
  })
})
