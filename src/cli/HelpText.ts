import { Option } from "effect"
import type { HelpDoc } from "effect/cli"
import type { Style } from "./Style.ts"

/** What a line of a list says: on the left a name, on the right what it is. */
interface Row {
  readonly name: string
  readonly about: string
}

/** The widest name that has its description beside it, with the spaces around. Wider ones have it below. */
const WIDEST = 28

/** Breaks a text between words, so that no line is longer than `width` characters. */
const wrap = (text: string, width: number): ReadonlyArray<string> => {
  const lines = [""]
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? ""
    if (line !== "" && line.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`
  }
  return lines
}

/** How wide the names of lists are that stand one below the other. */
const widthOf = (rows: ReadonlyArray<Row>): number =>
  Math.min(WIDEST, Math.max(0, ...rows.map(({ name }) => name.length)) + 4)

const list = (rows: ReadonlyArray<Row>, left: number, columns: number, { green }: Style): string =>
  rows
    .map(({ name, about }) => {
      const lines = wrap(about, Math.max(columns - left, 30)).map((line) => " ".repeat(left) + line)
      if (name.length + 4 > left) return [`  ${green(name)}`, ...lines].join("\n")
      const [first = "", ...others] = lines
      return [`  ${green(name)}${first.slice(name.length + 2)}`.trimEnd(), ...others].join("\n")
    })
    .join("\n")

/** The framework adds the choices of an option to its description, in parentheses. */
const withChoices = (about: string) =>
  about.replace(/ \(choices: (.+)\)$/, (_, choices: string) => ` [${choices.split(", ").join(" | ")}]`)

const flagRow = ({ name, aliases, type, description }: HelpDoc.FlagDoc): Row => {
  const value = type === "boolean" ? "" : ` ${type.startsWith("<") ? type : `<${type}>`}`
  const names = [...aliases, `--${name}`].join(", ")
  return { name: names + value, about: withChoices(Option.getOrElse(description, () => "")) }
}

const argumentRow = ({ name, description, required }: HelpDoc.ArgDoc): Row => ({
  name: required ? `<${name}>` : `[${name}]`,
  about: withChoices(Option.getOrElse(description, () => ""))
})

/** How a command is called, with the options that it can't do without. */
const usageOf = ({ usage, flags }: HelpDoc.HelpDoc): string => {
  const required = flags.flatMap(({ name, type, required }) =>
    required ? [`--${name} ${type.startsWith("<") ? type : `<${type}>`} `] : []
  )
  return usage.replace("<subcommand>", "<command>").replace("[flags]", `${required.join("")}[options]`)
}

/** The help of a command, for a terminal of `columns` characters. */
export const helpText = (doc: HelpDoc.HelpDoc, columns: number, style: Style): string => {
  const section = (title: string, body: string) => `${style.bold(title)}\n${body}`
  const lists = (...all: ReadonlyArray<readonly [title: string, rows: ReadonlyArray<Row>]>) => {
    const left = widthOf(all.flatMap(([, rows]) => rows))
    return all.flatMap(([title, rows]) => (rows.length === 0 ? [] : section(title, list(rows, left, columns, style))))
  }
  const groups = (doc.subcommands ?? []).map(
    ({ group, commands }) =>
      [
        `${group ?? "Commands"}:`,
        commands.map(({ name, shortDescription, description }) => ({ name, about: shortDescription ?? description }))
      ] as const
  )
  const examples = (doc.examples ?? []).map(({ command, description }) =>
    description === undefined ? `  ${command}` : `  ${style.dim(`# ${description}`)}\n  ${command}`
  )
  return [
    wrap(doc.description, columns).join("\n"),
    section("Usage:", `  ${usageOf(doc)}`),
    ...lists(...groups),
    ...lists(
      ["Arguments:", (doc.args ?? []).map(argumentRow)],
      ["Options:", [...doc.flags, ...(doc.inheritedFlags ?? [])].map(flagRow)],
      ["General options:", (doc.globalFlags ?? []).map(flagRow)]
    ),
    ...(examples.length === 0 ? [] : [section("Examples:", examples.join("\n"))])
  ].join("\n\n")
}
