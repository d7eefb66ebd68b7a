import { type Appearance, logoPath } from "#domain/Appearance"
import { type Html, html } from "#platform/Html"

/**
 * A logo for each theme. `text` is its alternative text. `owner` is the OAuth client that the logo belongs to, if it is not
 * the app's.
 */
export const logoPicture = ({ logo, darkLogo }: Appearance, text: string, owner?: string): Html | undefined => {
  const file = logo ?? darkLogo
  if (file === null) return undefined
  const urlOf = (one: string) => logoPath(one, owner)
  const dark = darkLogo !== null && darkLogo !== file
  return html`<picture>${
    dark && html`<source srcset="${urlOf(darkLogo)}" media="(prefers-color-scheme: dark)">`
  }<img class="logo" src="${urlOf(file)}" alt="${text}"></picture>`
}
