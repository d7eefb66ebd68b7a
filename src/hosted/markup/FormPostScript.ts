import { createHash } from "node:crypto"
import type { Html } from "#platform/Html"

/** Submits the form immediately. Without scripts, users submit it themselves. */
export const formPostScript = `addEventListener("DOMContentLoaded", () => document.forms[0].submit())`

/** The digest of the script for the content security policy. */
export const formPostScriptDigest = `sha256-${createHash("sha256").update(formPostScript).digest("base64")}`

const MARK = ' data-form-post="'

/** Returns whether a page submits its form automatically. */
export const isFormPost = ({ markup }: Html): boolean => markup.includes(MARK)
