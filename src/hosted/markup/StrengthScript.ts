import { createHash } from "node:crypto"
import { type Html, html } from "#platform/Html"
import type { Texts } from "../texts/en.ts"

/** Common parts of passwords (C159). */
const commonParts =
  "password passwort contrasena qwerty qwertz azerty letmein welcome monkey dragon master shadow sunshine princess football baseball superman batman " +
  "iloveyou trustno login admin administrator root user test hello secret access flower freedom whatever michael jennifer jordan hunter ranger " +
  "buster thomas robert daniel andrea joshua george charlie andrew michelle jessica ashley amanda nicole summer winter spring autumn monday " +
  "friday january february march april june july august september october november december ginger pepper cookie cheese banana orange purple " +
  "yellow silver golden diamond killer soccer hockey tigger starwars pokemon matrix computer internet samsung google facebook apple mustang " +
  "ferrari porsche mercedes yankees liverpool chelsea arsenal barcelona lovely angel baby love dios amor jesus"

/** Keyboard rows. Passwords often contain neighboring keys. */
const keyboardRows = "qwertyuiop asdfghjkl zxcvbnm qwertzuiop yxcvbnm azertyuiop qsdfghjklm 1qaz2wsx3edc4rfv 1234567890"

/**
 * The source of a function that estimates the strength of a password: `(password, words, least) => 0 | 1 | 2 | 3 | 4`, for too
 * short, weak, fair, good and strong. It adds up the bits that an attacker would have to guess. The attacker is assumed to
 * know common parts, keyboard rows, sequences, years, repetitions, letters written as digits, and `words` (the user's other
 * input in the form). The function uses only the JavaScript language, no browser APIs.
 */
export const strengthFunction = `(password, words, least) => {
  const characters = [...password.normalize("NFKC")]
  if (characters.length < least) return 0
  const look = { "@": "a", "4": "a", "3": "e", "1": "i", "!": "i", "0": "o", "$": "s", "5": "s", "7": "t" }
  const lower = characters.map((one) => one.toLowerCase())
  const read = lower.map((one) => look[one] ?? one)
  const common = ${JSON.stringify(commonParts)}.split(" ")
  const rows = ${JSON.stringify(keyboardRows)}.split(" ")
  const own = words.flatMap((word) => word.toLowerCase().split(/[^\\p{L}\\p{N}]+/u)).filter((word) => word.length > 2)
  const startsAt = (text, at, word) => [...word].every((one, place) => text[at + place] === one)
  const longest = (at, list) => Math.max(0, ...list.filter((word) => startsAt(read, at, word) || startsAt(lower, at, word)).map((word) => [...word].length))
  const run = (at) => {
    const step = (lower[at + 1] ?? "").codePointAt(0) - lower[at].codePointAt(0)
    if (!(Math.abs(step) < 2)) return 0
    let end = at + 1
    while (end + 1 < lower.length && lower[end + 1].codePointAt(0) - lower[end].codePointAt(0) === step) end++
    return end - at + 1
  }
  const onRow = (at) => {
    let length = 3
    const isOn = () => {
      const part = lower.slice(at, at + length).join("")
      return at + length <= lower.length && rows.some((row) => row.includes(part) || [...row].reverse().join("").includes(part))
    }
    while (isOn()) length++
    return length - 1
  }
  const again = (at) => {
    const before = lower.slice(0, at).join("")
    let length = 3
    while (at + length <= lower.length && before.includes(lower.slice(at, at + length).join(""))) length++
    return length - 1
  }
  const kindOf = (at) => (/\\p{L}/u.test(read[at]) ? "letter" : /\\p{N}/u.test(read[at]) ? "digit" : /\\s/u.test(read[at]) ? "space" : "symbol")
  const bitsOf = { letter: 3, digit: 3.3, space: 2, symbol: 5 }
  let bits = 0
  let before
  for (let at = 0; at < characters.length; ) {
    const found = [
      [longest(at, own), 2],
      [longest(at, common), 7],
      [/^(19|20)\\d\\d/.test(lower.slice(at, at + 4).join("")) ? 4 : 0, 6],
      [run(at), 6],
      [onRow(at), 6],
      [again(at), 3]
    ].filter(([length]) => length > 2).sort(([one], [other]) => other - one)[0]
    if (found !== undefined) {
      bits += found[1] + Math.log2(found[0])
      before = "part"
      at += found[0]
      continue
    }
    const kind = kindOf(at)
    bits += bitsOf[kind] + (lower[at] !== characters[at] && at > 0 ? 1.5 : 0)
    if (before !== undefined && before !== kind && kind !== "space" && before !== "space") bits += 2
    before = kind
    at++
  }
  return bits < 26 ? 1 : bits < 40 ? 2 : bits < 56 ? 3 : 4
}`

/** The script of pages with a new password. It shows the password's strength without sending the password anywhere. */
export const strengthScript = `
addEventListener("DOMContentLoaded", () => {
  const strengthOf = ${strengthFunction}
  document.querySelectorAll("[data-strength]").forEach((meter) => {
    const input = document.getElementById(meter.dataset.strength)
    const form = input?.form
    if (!form) return
    const text = meter.querySelector("p")
    const levels = meter.dataset.levels.split("|")
    meter.hidden = false
    const show = () => {
      const others = [...form.elements].filter((one) => one !== input && /^(text|email)$/.test(one.type))
      const words = [document.title, ...others.map((one) => one.value)]
      const level = input.value === "" ? undefined : strengthOf(input.value.slice(0, 256), words, Number(meter.dataset.least))
      const said = level === undefined ? "" : meter.dataset.label.replace("%", levels[level])
      if (level === undefined) delete meter.dataset.level
      else meter.dataset.level = level
      if (text.textContent !== said) text.textContent = said
    }
    form.addEventListener("input", show)
    show()
  })
})
`

/** The digest of the script for the content security policy. */
export const strengthScriptDigest = `sha256-${createHash("sha256").update(strengthScript).digest("base64")}`

/**
 * Shows the strength of a new password in words and as a bar. A script fills it in; without scripts, it stays hidden. Screen
 * readers only announce it when the level changes. `least` is the minimum number of characters.
 */
export const strengthMeter = ({ form }: Texts, input: string, least: number): Html => html`
<div class="strength" hidden data-strength="${input}" data-least="${String(least)}" data-levels="${form.strength.levels.join("|")}" data-label="${form.strength.label}"><span class="bar" aria-hidden="true"><i></i><i></i><i></i><i></i></span><p aria-live="polite"></p></div>`

/** Returns whether a page contains a strength meter and therefore needs its script. */
export const hasStrengthMeter = ({ markup }: Html): boolean => markup.includes(' data-strength="')
