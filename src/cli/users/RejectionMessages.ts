import type { RefusedRow as Answered } from "#api/imports/V2"
import { visible } from "../Visible.ts"
import type { Batch, RejectedRow } from "./Batches.ts"
import { count, messageOf, numeral, takenByLineMessage } from "./Messages.ts"

type Detail = (typeof Answered.Type)["error_details"][number]

/** The parts of a batch that the messages need. */
type MessageSource = Pick<Batch, "nameOf" | "columnOf" | "values">

/** Reports which row already has the value that a rejected row wants, using line numbers of the input instead of the call. */
const holder = ({ code, field, params }: Detail, own: number, { nameOf, values }: MessageSource): string => {
  if (code !== "taken") return ""
  const { line, user_id: user } = params ?? {}
  const row = typeof line === "number" ? nameOf(line)?.line : values.lineWithValue(own, field)
  if (row !== undefined) return ` ${takenByLineMessage(row)}`
  return user === undefined ? "" : ` User ${user} has it.`
}

/** Replaces the member in a message with the input's column. */
const aboutColumn = ({ field, message }: Detail, { columnOf }: Pick<Batch, "columnOf">): string => {
  const column = field === null ? undefined : columnOf(field)
  if (field === null || column === undefined) return message
  const place = ` (${field.slice(0, field.lastIndexOf("."))})`
  const at = message.indexOf(place)
  return at === -1 ? message : `The column ${column}${message.slice(at + place.length)}`
}

/** The errors of a row, with the input's columns and line numbers. `line`: the row's line in the input. */
export const rejectionMessages = (
  { errors, error_details: details }: Pick<typeof Answered.Type, "errors" | "error_details">,
  line: number,
  batch: MessageSource
): ReadonlyArray<string> =>
  details.length === 0 ? errors : details.map((detail) => aboutColumn(detail, batch) + holder(detail, line, batch))

/** Advice about users who can't be created without an email. Empty if no row was rejected for this reason. */
export const emailHint = (rows: ReadonlyArray<Pick<RejectedRow, "errors">>): string =>
  rows.some(({ errors }) => errors.includes(messageOf("blank", undefined, "email")))
    ? " Users can't be created without an email: add emails in the source, or choose the column that contains them, as in --map 'username=email'."
    : ""

/** The maximum number of rejected rows shown, and the maximum number of errors per row. */
export const SHOWN = 5
const LONGEST = 160

const shortened = (text: string): string => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`)

/** Formats the first rejected rows, one line each. `refused`: the total number. */
export const rejectedRowLines = (first: ReadonlyArray<RejectedRow>, refused: number): ReadonlyArray<string> => {
  const lines = first.slice(0, SHOWN).map(({ line, reference, errors }) => {
    const name = reference === null ? "" : ` (${visible(reference).slice(0, 64)})`
    return `  line ${numeral(line)}${name}: ${shortened(visible(errors.join(" ")))}`
  })
  const others = refused - lines.length
  return others > 0 && lines.length > 0 ? [...lines, `  and ${count(others, "other row")}`] : lines
}
