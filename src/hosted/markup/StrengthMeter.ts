import { type Html, html } from "#platform/Html"
import type { Texts } from "../texts/en.ts"

/**
 * Shows how strong a new password is, in words and as a bar, which a script fills. `least`: the least number of characters. Without scripts it stays hidden. Screen readers are told in
 * their own time, and only when the level changes.
 */
export const strengthMeter = ({ form }: Texts, input: string, least: number): Html => html`
<div class="strength" hidden data-strength="${input}" data-least="${String(least)}" data-levels="${form.strength.levels.join("|")}" data-label="${form.strength.label}"><span class="bar" aria-hidden="true"><i></i><i></i><i></i><i></i></span><p aria-live="polite"></p></div>`

/** Whether a page has such a meter, and so needs its script. */
export const hasStrengthMeter = ({ markup }: Html): boolean => markup.includes(' data-strength="')
