import { useTexts } from "../texts/Language.tsx"
import { Section } from "../ui/Section.tsx"
import { Table } from "../ui/Table.tsx"
import { customOf, members } from "./Columns.ts"
import { importTexts } from "./Texts.ts"
import type { TableRecord } from "./UserFile.ts"

interface MapColumnsProps {
  readonly columns: ReadonlyArray<string>
  readonly records: ReadonlyArray<TableRecord>
  /** The member for each column. Blank to skip the column. */
  readonly chosen: ReadonlyArray<string>
  readonly onChoose: (chosen: ReadonlyArray<string>) => void
}

/** The number of sample values shown per column. */
const SHOWN = 3

/** Lets the admin map the columns of a table to user fields. */
export const MapColumns = ({ columns, records, chosen, onChoose }: MapColumnsProps) => {
  const t = useTexts(importTexts)
  const names: Readonly<Record<string, string>> = t.members
  const items = columns.map((column, index) => ({ column, index }))
  const leftOut = columns.filter((_, index) => chosen[index] === "")
  const valuesOf = (index: number) =>
    records
      .slice(0, SHOWN)
      .map(({ cells }) => cells[index] ?? "")
      .filter((value) => value !== "")
      .join(" · ")
  return (
    <Section title={t.columns} lead={t.columnsLead}>
      <Table
        label={t.columns}
        items={items}
        keyOf={({ index }) => String(index)}
        columns={[
          { name: t.column, cell: ({ column }) => <strong className="column-name">{column}</strong> },
          { name: t.firstValues, cell: ({ index }) => <span className="faint values">{valuesOf(index)}</span> },
          {
            name: t.becomes,
            cell: ({ column, index }) => {
              const value = chosen[index] ?? ""
              const custom = value.startsWith("custom.") ? value : customOf(column)
              return (
                <select
                  aria-label={`${column}: ${t.becomes}`}
                  value={value}
                  onChange={(event) => onChoose(chosen.with(index, event.target.value))}
                >
                  <option value="">{t.leaveOut}</option>
                  {members.map((member) => (
                    <option key={member} value={member}>
                      {names[member] ?? member}
                    </option>
                  ))}
                  <option value={custom}>{t.customOf(custom.slice("custom.".length))}</option>
                </select>
              )
            }
          }
        ]}
      />
      {leftOut.length === 0 ? null : <p className="note waiting">{t.leftOut(leftOut.join(", "))}</p>}
    </Section>
  )
}
