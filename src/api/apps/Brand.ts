import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { brandFonts, brandLayouts, brandRadii } from "#domain/BrandFont"
import { AllProblems, ErrorResponses, Idempotency, RequiredLevel, Resource, TenantAccess } from "../Access.ts"
import { describe, objectType } from "../Description.ts"
import { MaybeText, realmQuery } from "../Wire.ts"
import { texts } from "./Texts.ts"

const logo = (description: string) => describe(MaybeText, `${description}, as a data URL. Null if none.`)

/** The members of an appearance that say how pages and emails look, apart from the logos. */
export const lookMembers = {
  color: describe(MaybeText, `${texts.color} Null if none.`),
  dark_color: describe(MaybeText, `${texts.dark_color} Null if none.`),
  background: describe(MaybeText, `${texts.background} Null if none.`),
  dark_background: describe(MaybeText, `${texts.dark_background} Null if none.`),
  font: describe(MaybeText, `${texts.font} Null for \`system\`.`, { enum: brandFonts }),
  radius: describe(MaybeText, `${texts.radius} Null for \`medium\`.`, { enum: brandRadii }),
  layout: describe(MaybeText, `${texts.layout} Null for \`card\`.`, { enum: brandLayouts })
}

/** An appearance with its logos, in the form in which an update takes it. */
const BrandAppearance = Schema.Struct({
  name: describe(MaybeText, `${texts.appearance_name} Null if none.`),
  logo: logo("The logo"),
  dark_logo: logo("The logo on a dark background"),
  ...lookMembers,
  email_logo: logo("The logo in emails"),
  dark_email_logo: logo("The logo in emails on a dark background")
}).annotate({ identifier: "BrandAppearance" })

/** The brand of an app: everything an update of another app needs to look the same (C294). */
export const BrandBody = Schema.Struct({
  object: objectType("brand"),
  appearance: describe(BrandAppearance, "The appearance of the app's pages and emails."),
  header: describe(MaybeText, `${texts.header} Null if none.`),
  footer: describe(MaybeText, `${texts.footer} Null if none.`),
  external_css: describe(MaybeText, `${texts.external_css} Null if none.`)
}).annotate({ identifier: "Brand" })

/** Reads the brand of an app. */
export const brand = HttpApiEndpoint.get("brand", "/v2/client_apps/:app_id/brand", {
  disableCodecs: true,
  params: { app_id: Schema.String },
  query: realmQuery,
  success: BrandBody
})
  .annotate(RequiredLevel, "read")
  .annotate(Resource, "client_app")
  .middleware(AllProblems)
  .middleware(Idempotency)
  .middleware(TenantAccess)
  .middleware(ErrorResponses)
