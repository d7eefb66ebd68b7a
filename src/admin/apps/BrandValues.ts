import type { ConnectedApp } from "#client/generated/types/ConnectedApp"
import type { ConnectedAppInput } from "#client/generated/types/ConnectedAppInput"
import type { BrandColors } from "#domain/BrandTheme"
import { changesIn, isChanged, orNull } from "../calls/Changes.ts"

/** A change of a logo: undefined for no change, null to remove it, or a data URL. */
export type LogoChange = string | null | undefined

export const logoNames = ["logo", "dark_logo", "email_logo", "dark_email_logo"] as const

export type LogoName = (typeof logoNames)[number]

/** The settings of a brand that are texts. Blank for none. */
export interface BrandTexts {
  readonly name: string
  readonly color: string
  readonly dark_color: string
  readonly background: string
  readonly dark_background: string
  readonly font: string
  readonly radius: string
  readonly layout: string
  readonly header: string
  readonly footer: string
  readonly external_css: string
}

/** An app's appearance as form values. */
export type BrandValues = BrandTexts & { readonly [Name in LogoName]?: LogoChange }

/** An appearance whose logos are not part of the form. */
type Saved = Pick<ConnectedApp, "header" | "footer" | "external_css"> & {
  readonly appearance: {
    readonly [Name in Exclude<keyof BrandTexts, "header" | "footer" | "external_css">]: string | null
  }
}

export const textsOf = ({ appearance, header, footer, external_css }: Saved): BrandTexts => ({
  name: appearance.name ?? "",
  color: appearance.color ?? "",
  dark_color: appearance.dark_color ?? "",
  background: appearance.background ?? "",
  dark_background: appearance.dark_background ?? "",
  font: appearance.font ?? "",
  radius: appearance.radius ?? "",
  layout: appearance.layout ?? "",
  header: header ?? "",
  footer: footer ?? "",
  external_css: external_css ?? ""
})

const noLogoChanges = { logo: undefined, dark_logo: undefined, email_logo: undefined, dark_email_logo: undefined }

export const valuesOf = (app: ConnectedApp): BrandValues => ({ ...textsOf(app), ...noLogoChanges })

/** Converts changed form values to the input of an update. */
export const inputOf = ({ header, footer, external_css, ...values }: Partial<BrandValues>): ConnectedAppInput => {
  const { logo, dark_logo, email_logo, dark_email_logo, ...named } = values
  const texts = Object.fromEntries(Object.entries(named).map(([name, text]) => [name, orNull(text)]))
  const logos = changesIn<BrandLogoChanges>({}, { logo, dark_logo, email_logo, dark_email_logo })
  const appearance = { ...texts, ...logos }
  return {
    ...(header === undefined ? {} : { header: orNull(header) }),
    ...(footer === undefined ? {} : { footer: orNull(footer) }),
    ...(external_css === undefined ? {} : { external_css: orNull(external_css) }),
    ...(isChanged(appearance) ? { appearance } : {})
  }
}

type BrandLogoChanges = { readonly [Name in LogoName]?: LogoChange }

/** The colors and the layout in form values. */
export const colorsIn = (values: BrandTexts): BrandColors => ({
  color: orNull(values.color),
  darkColor: orNull(values.dark_color),
  background: orNull(values.background),
  darkBackground: orNull(values.dark_background),
  layout: values.layout === "plain" || values.layout === "split" ? values.layout : null
})
