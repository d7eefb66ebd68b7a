/** Where the guides are: in the source among the other docs, in the bundle beside this file. */
const folder = new URL(import.meta.url.endsWith(".ts") ? "../../../docs/guides/" : "./docs/guides/", import.meta.url)

/** The page that lists the guides. */
export const INDEX = "README"

/** Files that are shown as guides, and written elsewhere for other readers, too. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ["../logs.md", "logs"],
  ["../../.env.example", "settings"]
])

/** The name of the guide that a file is shown as, by the way to it from the folder of guides; undefined: it is none. */
export const guideAt = (way: string): string | undefined => elsewhere.get(way) ?? /^([\w-]+)\.md$/.exec(way)?.[1]

/** The file of a guide. */
export const fileOf = (guide: string): URL => {
  const [way = `${guide}.md`] = [...elsewhere].find(([, name]) => name === guide) ?? []
  return new URL(way, folder)
}

const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("<", "&lt;")

/** The file of settings as a page: each setting is a comment and a line with its default or an example. */
const settingsPage = (text: string): string => {
  const [about = "", ...settings] = text.trim().split(/\n{2,}/)
  const comment = (part: string) => part.replaceAll(/^# ?/gm, "").replaceAll("\n", " ")
  const rows = settings.map((part) => {
    const lines = part.split("\n")
    const [name = ""] = (lines.at(-1) ?? "").split("=", 1)
    return `| \`${name}\` | ${cell(comment(lines.slice(0, -1).join("\n")))} |`
  })
  const table = ["| Setting | What it does |", "|---|---|", ...rows].join("\n")
  return `# Settings\n\n${comment(about)} All are read from the environment, once, at the start.\n\n${table}\n`
}

/** The Markdown of a guide, given its file. */
export const markdownOf = (guide: string, text: string): string => (guide === "settings" ? settingsPage(text) : text)
