import type { ReactNode } from "react"
import { Link } from "wouter"

/** A column: its name, blank for one of buttons, and what it shows of an item. */
export interface Column<A> {
  readonly name: string
  readonly cell: (item: A) => ReactNode
  /** Whether it holds numbers, or buttons, at the right. */
  readonly isRight?: boolean
}

interface TableProps<A> {
  /** What the table lists. */
  readonly label: string
  /** The first column names the item, and links to it where `to` is given. */
  readonly columns: ReadonlyArray<Column<A>>
  readonly items: ReadonlyArray<A>
  readonly keyOf: (item: A) => string
  readonly to?: (item: A) => string
}

/** A table, whose rows become cards where the window is narrow. */
export const Table = <A,>({ label, columns, items, keyOf, to }: TableProps<A>) => (
  <div className="table-frame">
    <table className="table" aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ name, isRight }) =>
            // A column of buttons has no name.
            name === "" ? (
              <td key={name} />
            ) : (
              <th key={name} scope="col" className={isRight === true ? "right" : undefined}>
                {name}
              </th>
            )
          )}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={keyOf(item)} className={to === undefined ? undefined : "linked"}>
            {columns.map(({ name, cell, isRight }, index) => (
              <td key={name} data-label={name} className={isRight === true ? "right" : undefined}>
                {index === 0 && to !== undefined ? (
                  <Link href={to(item)} className="row-link">
                    {cell(item)}
                  </Link>
                ) : (
                  // In a narrow window a cell is its column's name and one thing beside it.
                  <div>{cell(item)}</div>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
