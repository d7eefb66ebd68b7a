import { Effect } from "effect"
import type { Appearance } from "#domain/Appearance"
import type { ConnectedApp } from "#domain/ConnectedApp"
import type { AppLogosRepo } from "#store/apps/AppLogosRepo"
import type { ReadLogos } from "./LogoImages.ts"

/** Returns an app with new logos in its appearance. */
export const withLogos = <App extends { readonly appearance: Appearance }>(
  app: App,
  { logo, darkLogo }: ReadLogos
): App => ({
  ...app,
  appearance: {
    ...app.appearance,
    ...(logo === undefined ? {} : { logo: logo.file }),
    ...(darkLogo === undefined ? {} : { darkLogo: darkLogo.file })
  }
})

/** Stores the new logos of an app. */
export const insertLogos = Effect.fnUntraced(function* (
  repo: AppLogosRepo["Service"],
  app: Pick<ConnectedApp, "realmId" | "id" | "appearance">,
  { logo, darkLogo }: ReadLogos
) {
  for (const one of [logo, darkLogo]) if (one !== undefined) yield* repo.insert(app, one)
})
