/** The folder of the guides: in the source tree among the other docs, in the bundle next to this file. */
const folder = new URL(import.meta.url.endsWith(".ts") ? "../../../docs/guides/" : "./docs/guides/", import.meta.url)

/** The page that lists the guides. */
export const INDEX = "README"

/** Files that are shown as guides but live elsewhere in the repository. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ["../logs.md", "logs"],
  ["../metrics.md", "metrics"],
  ["../../.env.example", "settings"]
])

/** The name of the guide for a file, by its path relative to the guides' folder; undefined if it is not a guide. */
export const guideAt = (path: string): string | undefined => elsewhere.get(path) ?? /^([\w-]+)\.md$/.exec(path)?.[1]

/** The file of a guide. */
export const fileOf = (guide: string): URL => {
  const [path = `${guide}.md`] = [...elsewhere].find(([, name]) => name === guide) ?? []
  return new URL(path, folder)
}

/** Formats a text as a table cell. A URL with a placeholder is not linked. */
const cell = (text: string) =>
  text
    .replaceAll("|", "\\|")
    .replaceAll(/https?:\/\/[^\s<]*<[^<>]+>|</g, (found) => (found === "<" ? "&lt;" : `\`${found}\``))

/** Renders the settings file as a page: each setting is a comment and a line with its default or an example. */
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

/** The addresses of a service, as guides show them. */
export interface Addresses {
  readonly publicUrl: string
  /** The origin of an app's pages, by its subdomain. */
  readonly originOf: (subdomain: string) => string
}

/** Replaces the URLs of a service at `http://localhost:3000` by this service's own. */
const addressed = (text: string, { publicUrl, originOf }: Addresses): string =>
  text
    .replaceAll(/http:\/\/([\w-]+)\.local\.localhost:3000/g, (_, subdomain: string) => originOf(subdomain))
    .replaceAll(/"([\w-]+)\.local\.localhost"/g, (_, subdomain: string) => `"${new URL(originOf(subdomain)).hostname}"`)
    .replaceAll("http://localhost:3000", () => publicUrl)

/** The Markdown of a guide, from the text of its file. */
export const markdownOf = (guide: string, text: string, addresses: Addresses): string =>
  guide === "settings" ? settingsPage(text) : addressed(text, addresses)
