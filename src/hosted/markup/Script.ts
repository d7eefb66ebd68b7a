import { createHash } from "node:crypto"

/**
 * The script of every page. It adds buttons for revealing passwords and for copying and printing recovery codes, shows times
 * in the reader's time zone, closes menus, and prevents forms from being submitted twice.
 */
export const script = `
(() => {
  const page = document.documentElement
  const eye = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M2 12s3.6-7 10-7 10 7 10 7-3.6 7-10 7-10-7-10-7Z"/><circle cx="12" cy="12" r="3"/><path class="slash" d="m4 20 16-16"/></svg>'
  const hiders = []
  page.classList.add("js")
  const reveal = (input) => {
    const button = document.createElement("button")
    const show = (shown) => {
      input.type = shown ? "text" : "password"
      button.setAttribute("aria-pressed", shown)
    }
    button.type = "button"
    button.className = "reveal"
    button.setAttribute("aria-label", input.dataset.show)
    button.setAttribute("aria-controls", input.id)
    button.innerHTML = eye
    button.addEventListener("click", () => show(input.type === "password"))
    hiders.push(() => show(false))
    show(false)
    input.after(button)
  }
  const button = (label, act) => {
    const made = document.createElement("button")
    made.type = "button"
    made.className = "choice"
    made.textContent = label
    made.addEventListener("click", () => act(made))
    return made
  }
  const offer = (list) => {
    const { copy, copied, print } = list.dataset
    const codes = () => [...list.querySelectorAll("code")].map((code) => code.textContent).join("\\n")
    const tell = (made) => () => { made.textContent = copied }
    const ways = [button(print, () => window.print())]
    if (navigator.clipboard) ways.unshift(button(copy, (made) => navigator.clipboard.writeText(codes()).then(tell(made))))
    list.nextElementSibling.prepend(...ways)
  }
  const localize = (time) => {
    const clock = time.dataset.time === "date" ? {} : { timeStyle: "short" }
    time.title = time.dataset.time === "date" ? time.textContent + " UTC" : time.textContent
    time.textContent = new Intl.DateTimeFormat(page.lang, { dateStyle: "medium", ...clock }).format(new Date(time.dateTime))
  }
  const release = (form) => { delete form.dataset.sent }
  addEventListener("DOMContentLoaded", () => document.querySelectorAll("input[data-show]").forEach(reveal))
  addEventListener("DOMContentLoaded", () => document.querySelectorAll("[data-copy]").forEach(offer))
  addEventListener("DOMContentLoaded", () => document.querySelectorAll("time[data-time]").forEach(localize))
  addEventListener("submit", (event) => {
    const form = event.target
    if (form.dataset.sent) return event.preventDefault()
    hiders.forEach((hide) => hide())
    form.dataset.sent = "1"
    setTimeout(release, 8000, form)
  })
  const closeMenus = (target) => document.querySelectorAll(".menu[open]").forEach((menu) => { menu.open = menu.contains(target) })
  addEventListener("click", (event) => closeMenus(event.target))
  addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" && document.querySelector(".menu[open]")
    if (!menu) return
    menu.open = false
    menu.querySelector("summary").focus()
  })
  addEventListener("pageshow", () => document.querySelectorAll("form").forEach(release))
})()
`

/** The digest of the script for the content security policy. */
export const scriptDigest = `sha256-${createHash("sha256").update(script).digest("base64")}`
