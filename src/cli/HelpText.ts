import { Option } from "effect"
import type { HelpDoc } from "effect/cli"
import type { Style } from "./Style.ts"

/** What a line of a list says: on the left a name, on the right what it is. */
interface Row {
  readonly name: string
  readonly about: string
}

/** Breaks a text between words, so that no line is longer than `width` characters. */
const wrap = (text: string, width: number): ReadonlyArray<string> =>
  text.split("\n").flatMap((paragraph) => {
    const lines = [""]
    for (const word of paragraph.split(" ")) {
      const line = lines.at(-1) ?? ""
      if (line !== "" && line.length + 1 + word.length > width) lines.push(word)
      else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`
    }
    return lines
  })

const list = (rows: ReadonlyArray<Row>, columns: number, { green }: Style): string => {
  const left = Math.max(...rows.map(({ name }) => name.length)) + 4
  return rows
    .map(({ name, about }) =>
      wrap(about, Math.max(columns - left, 30))
        .map((line, at) =>
          at === 0 ? `  ${green(name)}${" ".repeat(left - 2 - name.length)}${line}` : " ".repeat(left) + line
        )
        .map((line) => line.trimEnd())
        .join("\n")
    )
    .join("\n")
}

const flagRow = ({ name, aliases, type, description }: HelpDoc.FlagDoc): Row => {
  const value = type === "boolean" ? "" : ` ${type.startsWith("<") ? type : `<${type}>`}`
  return { name: `${[...aliases, `--${name}`].join(", ")}${value}`, about: Option.getOrElse(description, () => "") }
}

const argumentRow = ({ name, description, required }: HelpDoc.ArgDoc): Row => ({
  name: required ? `<${name}>` : `[${name}]`,
  about: Option.getOrElse(description, () => "")
})

/** The help of a command, for a terminal of `columns` characters. */
export const helpText = (doc: HelpDoc.HelpDoc, columns: number, style: Style): string => {
  const section = (title: string, body: string) => `${style.bold(title)}\n${body}`
  const rows = (title: string, all: ReadonlyArray<Row>) =>
    all.length === 0 ? [] : [section(title, list(all, columns, style))]
  const examples = (doc.examples ?? []).map(({ command, description }) =>
    description === undefined ? `  ${command}` : `  ${style.dim(`# ${description}`)}\n  ${command}`
  )
  return [
    wrap(doc.description, columns).join("\n"),
    section("Usage:", `  ${doc.usage}`),
    ...(doc.subcommands ?? []).flatMap(({ group, commands }) =>
      rows(
        `${group ?? "Commands"}:`,
        commands.map(({ name, shortDescription, description }) => ({ name, about: shortDescription ?? description }))
      )
    ),
    ...rows("Arguments:", (doc.args ?? []).map(argumentRow)),
    ...rows("Options:", [...doc.flags, ...(doc.inheritedFlags ?? [])].map(flagRow)),
    ...rows("General options:", (doc.globalFlags ?? []).map(flagRow)),
    ...(examples.length === 0 ? [] : [section("Examples:", examples.join("\n"))])
  ].join("\n\n")
}
