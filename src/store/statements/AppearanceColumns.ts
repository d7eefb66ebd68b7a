import type { Appearance, LogoFile } from "#domain/Appearance"

/** The columns of `login_policies` with an app's appearance. */
export interface AppearanceColumns {
  readonly appearance_name: string | null
  readonly logo: LogoFile | null
  readonly dark_logo: LogoFile | null
  readonly color: string | null
  readonly dark_color: string | null
  readonly background: string | null
  readonly dark_background: string | null
  readonly font: Appearance["font"]
  readonly radius: Appearance["radius"]
  readonly layout: Appearance["layout"]
  readonly email_logo: LogoFile | null
  readonly dark_email_logo: LogoFile | null
}

/** Converts the columns to an appearance. */
export const appearanceOf = (row: AppearanceColumns): Appearance => ({
  name: row.appearance_name,
  logo: row.logo,
  darkLogo: row.dark_logo,
  color: row.color,
  darkColor: row.dark_color,
  background: row.background,
  darkBackground: row.dark_background,
  font: row.font,
  radius: row.radius,
  layout: row.layout,
  emailLogo: row.email_logo,
  darkEmailLogo: row.dark_email_logo
})

/** Converts an appearance to its columns. */
export const appearanceColumns = (appearance: Appearance): AppearanceColumns => ({
  appearance_name: appearance.name,
  logo: appearance.logo,
  dark_logo: appearance.darkLogo,
  color: appearance.color,
  dark_color: appearance.darkColor,
  background: appearance.background,
  dark_background: appearance.darkBackground,
  font: appearance.font,
  radius: appearance.radius,
  layout: appearance.layout,
  email_logo: appearance.emailLogo,
  dark_email_logo: appearance.darkEmailLogo
})
