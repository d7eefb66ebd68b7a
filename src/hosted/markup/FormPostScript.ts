import { createHash } from "node:crypto"
import type { Html } from "#platform/Html"

/** Sends the form of the page at once. Without scripts people send it themselves. */
export const formPostScript = `addEventListener("DOMContentLoaded", () => document.forms[0].submit())`

/** The digest by which the content security policy allows the script. */
export const formPostScriptDigest = `sha256-${createHash("sha256").update(formPostScript).digest("base64")}`

const MARK = ' data-form-post="'

/** Whether a page sends its form by itself. */
export const isFormPost = ({ markup }: Html): boolean => markup.includes(MARK)
