import { digestOf } from "./StaticText.ts"

/**
 * The script of the docs: buttons that copy code, and results below the search field while the reader types. Without it, the
 * field leads to a page with the results.
 */
export const docsScript = `(() => {
  const made = (tag, className, text) => Object.assign(document.createElement(tag), { className, textContent: text })
  if (navigator.clipboard) document.querySelectorAll("figure:not(.answer) > pre").forEach((pre) => {
    const button = made("button", "copy", "Copy")
    button.type = "button"
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(pre.textContent.trim())
      button.textContent = "Copied"
      setTimeout(() => { button.textContent = "Copy" }, 2000)
    })
    pre.after(button)
  })
  const form = document.querySelector("form[role=search]")
  if (!form) return
  const field = form.elements.q
  const panel = made("div", "found", "")
  panel.hidden = true
  form.append(panel)
  let waiting, asked = ""
  const close = () => { panel.hidden = true }
  const links = () => [field, ...panel.querySelectorAll("a")]
  const show = async () => {
    const text = asked = field.value.trim()
    if (!text) return close()
    const url = form.action + "?" + new URLSearchParams({ q: text })
    const page = await fetch(url).then((response) => response.text()).catch(() => "")
    if (asked !== text) return
    const markup = page.slice(page.indexOf('<div class="results">'), page.indexOf("</article>"))
    const results = new DOMParser().parseFromString(markup, "text/html").querySelector(".results")
    if (!results) return
    panel.replaceChildren(results)
    panel.hidden = false
  }
  field.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(show, 120) })
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { close(); return field.focus() }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step || panel.hidden) return
    event.preventDefault()
    const all = links()
    all[(all.indexOf(document.activeElement) + step + all.length) % all.length].focus()
  })
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || /^(input|textarea|select)$/i.test(event.target.tagName)) return
    event.preventDefault()
    field.focus()
  })
  addEventListener("click", (event) => { if (!form.contains(event.target) || event.target.closest(".found a")) close() })
})()
`

/** The URL of the script, which contains a digest of its content. */
export const scriptUrl = `/docs/docs.js?v=${digestOf(docsScript)}`
