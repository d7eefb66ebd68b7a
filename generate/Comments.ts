/** The maximum line width of the repository. */
const WIDTH = 120

const wrapped = (words: ReadonlyArray<string>, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  for (const word of words) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === "" ? word : `${line} ${word}`
  }
  return line === "" ? lines : [...lines, line]
}

/** Returns a doc comment, which editors show on hover. Empty if the text is empty. `indent`: the number of leading spaces. */
export const docComment = (text: string, indent: number): string => {
  const before = " ".repeat(indent)
  const safe = text.replaceAll("*/", "*\\/").trim()
  if (safe === "") return ""
  if (!safe.includes("\n") && safe.length + indent + 7 <= WIDTH) return `${before}/** ${safe} */\n`
  const lines = safe.split("\n").flatMap((paragraph) => {
    const words = paragraph.split(" ").filter((word) => word !== "")
    return words.length === 0 ? [""] : wrapped(words, WIDTH - indent - 3)
  })
  return `${before}/**\n${lines.map((line) => `${before} *${line === "" ? "" : ` ${line}`}\n`).join("")}${before} */\n`
}
