import type { ThemeName } from "./PageThemes.ts"

/** The media condition of the dark theme. */
const IN_DARK = "(prefers-color-scheme: dark)"

/** Replaces the browser's choice of theme in a document by a fixed theme. */
export const withTheme = (html: string, theme: ThemeName): string =>
  html
    .replaceAll(IN_DARK, theme === "dark" ? "all" : "not all")
    .replaceAll("color-scheme: light dark", `color-scheme: ${theme}`)
