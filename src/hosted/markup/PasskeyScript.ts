import { createHash } from "node:crypto"

/**
 * The script of pages with passkeys. It reveals the passkey forms, so they only appear in browsers that support passkeys. A
 * form contains its options or the URL to fetch them from. The script writes the authenticator's response into hidden fields
 * and submits the form. It also tells the browser which passkeys are out of date (WebAuthn's Signal API).
 */
export const passkeyScript = `
(() => {
  if (!window.PublicKeyCredential || !navigator.credentials) return
  const FRESH = 8 * 60_000
  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0))
  const text = (buffer) =>
    btoa(Array.from(new Uint8Array(buffer), (one) => String.fromCharCode(one)).join(""))
      .replace(/\\+/g, "-").replace(/\\//g, "_").replace(/=/g, "")
  const known = (list) => list?.map((one) => ({ ...one, id: bytes(one.id) }))
  const publicKeyOf = ({ user, excludeCredentials, allowCredentials, ...options }) => ({
    ...options,
    challenge: bytes(options.challenge),
    ...(user ? { user: { ...user, id: bytes(user.id) }, excludeCredentials: known(excludeCredentials) } : {}),
    ...(allowCredentials ? { allowCredentials: known(allowCredentials) } : {})
  })
  const parts = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]
  const answerOf = ({ id, type, authenticatorAttachment, response }) => {
    const told = parts.flatMap((part) => (response[part] ? [[part, text(response[part])]] : []))
    const transports = response.getTransports ? { transports: response.getTransports() } : {}
    return { id, rawId: id, type, authenticatorAttachment, clientExtensionResults: {},
      response: { ...Object.fromEntries(told), ...transports } }
  }
  const setUp = (form) => {
    const { passkey: method, from, options, errors, autofill, upgrade } = form.dataset
    const problem = form.querySelector("[role=alert]")
    const sentences = JSON.parse(errors)
    let asked = options && { ...JSON.parse(options), at: Infinity }
    let silent, waiting
    const ask = async () => {
      if (asked && performance.now() - asked.at < FRESH) return asked
      const body = await (await fetch(from, { method: "POST" })).json()
      if (!body.token) throw { sentence: body.error }
      return (asked = { ...body, at: performance.now() })
    }
    const run = async (how) => {
      const { token, options } = await ask()
      const credential = await navigator.credentials[method]({ publicKey: publicKeyOf(options), ...how })
      form.elements.token.value = token
      if (upgrade) form.elements.conditional.value = how ? "1" : ""
      form.elements.response.value = JSON.stringify(answerOf(credential))
      form.requestSubmit()
    }
    const offer = async () => {
      const isAvailable = autofill
        ? await PublicKeyCredential.isConditionalMediationAvailable?.()
        : upgrade && (await PublicKeyCredential.getClientCapabilities?.())?.conditionalCreate
      if (!isAvailable) return
      silent = new AbortController()
      waiting = run({ mediation: "conditional", signal: silent.signal }).catch(() => {})
    }
    form.hidden = false
    form.querySelector("button").addEventListener("click", async () => {
      problem.hidden = true
      silent?.abort()
      await waiting
      try {
        await run()
      } catch (error) {
        problem.textContent = error.sentence || sentences[error.name] || sentences.other
        problem.hidden = false
        offer()
      }
    })
    offer()
  }
  addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll("form[data-passkey]").forEach(setUp)
    document.querySelectorAll("[data-passkeys]").forEach((part) => { part.hidden = part.dataset.passkeys === "without" })
    document.querySelectorAll("[data-signals]").forEach((part) => {
      for (const [method, options] of Object.entries(JSON.parse(part.dataset.signals)))
        PublicKeyCredential[method]?.(options).catch(() => {})
    })
    document.querySelectorAll("input[data-platform]").forEach(async (field) => {
      if (await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable()) field.value = "1"
    })
  })
})()
`

/** The digest of the script for the content security policy. */
export const passkeyScriptDigest = `sha256-${createHash("sha256").update(passkeyScript).digest("base64")}`
