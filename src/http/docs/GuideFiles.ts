/** The folder of the guides. In the source tree it is part of the docs; in the bundle it is next to this file. */
const folder = new URL(import.meta.url.endsWith(".ts") ? "../../../docs/guides/" : "./docs/guides/", import.meta.url)

/** The page that lists the guides. */
export const INDEX = "README"

/** Files that are shown as guides but live elsewhere in the repository. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ["../logs.md", "logs"],
  ["../metrics.md", "metrics"],
  ["../../.env.example", "settings"]
])

/** Returns the name of the guide at a path relative to the guides' folder, or undefined if the file is not a guide. */
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

/** The addresses of a service, as shown in guides. */
export interface Addresses {
  readonly publicUrl: string
  /** Returns the origin of an app's pages, by the app's subdomain. */
  readonly originOf: (subdomain: string) => string
}

/** Replaces URLs at `http://localhost:3000` by this service's own URLs. */
const addressed = (text: string, { publicUrl, originOf }: Addresses): string =>
  text
    .replaceAll(/http:\/\/([\w-]+)\.local\.localhost:3000/g, (_, subdomain: string) => originOf(subdomain))
    .replaceAll(/"([\w-]+)\.local\.localhost"/g, (_, subdomain: string) => `"${new URL(originOf(subdomain)).hostname}"`)
    .replaceAll("http://localhost:3000", () => publicUrl)

/** Returns the Markdown of a guide, given the content of its file. */
export const markdownOf = (guide: string, text: string, addresses: Addresses): string =>
  guide === "settings" ? settingsPage(text) : addressed(text, addresses)
