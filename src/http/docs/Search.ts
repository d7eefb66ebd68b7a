/** A place in the docs that the search can find. */
export interface SearchEntry {
  readonly title: string
  /** Where the place is: the guide, or the method and path of the endpoint. */
  readonly context: string
  readonly path: string
  readonly text: string
}

/** A place with its texts in lower case, which are compared to the query. */
interface IndexedEntry {
  readonly entry: SearchEntry
  readonly title: string
  readonly context: string
  readonly text: string
}

/** The maximum number of words of a query. Further words are ignored. */
const MAX_WORDS = 8

/** The maximum number of results. */
export const MAX_RESULTS = 30

const lower = (text: string): string => text.toLowerCase()

/** Returns how well an entry matches a word: 0 if not at all, more if the title contains it, most if a word of it begins with it. */
const rankOf = ({ title, context, text }: IndexedEntry, word: string): number => {
  const at = title.indexOf(word)
  if (at === 0 || (at > 0 && /\W/.test(title[at - 1] ?? ""))) return 8
  if (at > 0) return 4
  if (context.includes(word)) return 3
  return text.includes(word) ? 1 : 0
}

/** Returns a search over the docs. Results contain every word of the query; titles count more than text. */
export const searchIn = (entries: ReadonlyArray<SearchEntry>) => {
  const indexed = entries.map((entry): IndexedEntry => {
    const { title, context, text } = entry
    return { entry, title: lower(title), context: lower(context), text: lower(text) }
  })
  return (query: string): ReadonlyArray<SearchEntry> => {
    const words = lower(query.slice(0, 200))
      .split(/\s+/)
      .filter((word) => word !== "")
      .slice(0, MAX_WORDS)
    if (words.length === 0) return []
    const ranked = indexed.flatMap((one) => {
      const ranks = words.map((word) => rankOf(one, word))
      return ranks.includes(0) ? [] : [{ entry: one.entry, rank: ranks.reduce((sum, rank) => sum + rank, 0) }]
    })
    return ranked
      .toSorted((one, other) => other.rank - one.rank)
      .slice(0, MAX_RESULTS)
      .map(({ entry }) => entry)
  }
}

/** The sections of a guide as entries: the text before the first heading, and each section with its heading. */
export const guideEntries = (title: string, path: string, markdown: string, idOf: (heading: string) => string) => {
  const [intro = "", ...sections] = markdown.replace(/^# .*\n/, "").split(/^#{2,3} /m)
  const entries = sections.map((section): SearchEntry => {
    const [heading = "", ...lines] = section.split("\n")
    const plain = heading.replaceAll("`", "").trim()
    return { title: plain, context: title, path: `${path}#${idOf(plain)}`, text: lines.join("\n") }
  })
  return [{ title, context: "Guide", path, text: intro }, ...entries]
}
