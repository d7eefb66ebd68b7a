import { Option } from "effect"
import type { HelpDoc } from "effect/cli"
import type { Style } from "./Style.ts"

/** A row of a list: a name and its description. */
interface Row {
  readonly name: string
  readonly about: string
}

/** The maximum width of the name column, with padding. Longer names have their description on the next line. */
const WIDEST = 28

/** Wraps a text at spaces so that no line is longer than `width` characters. */
const wrap = (text: string, width: number): ReadonlyArray<string> => {
  const lines = [""]
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? ""
    if (line !== "" && line.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`
  }
  return lines
}

/** The width of the name column. */
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

/** The framework appends an option's choices to its description, in parentheses. */
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

/** The usage line of a command, with its required options. */
const usageOf = ({ usage, flags }: HelpDoc.HelpDoc): string => {
  const required = flags.flatMap(({ name, type, required }) =>
    required ? [`--${name} ${type.startsWith("<") ? type : `<${type}>`} `] : []
  )
  return usage.replace("<subcommand>", "<command>").replace("[flags]", `${required.join("")}[options]`)
}

/** The help text of a command, for a terminal `columns` characters wide. */
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
