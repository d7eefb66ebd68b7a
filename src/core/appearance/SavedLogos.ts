import { Effect } from "effect"
import type { Appearance } from "#domain/Appearance"
import type { ConnectedApp } from "#domain/ConnectedApp"
import type { AppLogosRepo } from "#store/apps/AppLogosRepo"
import type { ReadLogos } from "./LogoImages.ts"

/** Returns an app with new logos in its appearance. */
export const withLogos = <App extends { readonly appearance: Appearance }>(app: App, { logos }: ReadLogos): App => ({
  ...app,
  appearance: {
    ...app.appearance,
    ...Object.fromEntries(Object.entries(logos).map(([member, { file }]) => [member, file]))
  }
})

/** Stores the new logos of an app. */
export const insertLogos = Effect.fnUntraced(function* (
  repo: AppLogosRepo["Service"],
  app: Pick<ConnectedApp, "realmId" | "id" | "appearance">,
  { logos }: ReadLogos
) {
  for (const logo of Object.values(logos)) yield* repo.insert(app, logo)
})
