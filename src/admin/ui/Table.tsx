import type { ReactNode } from "react"
import { Link } from "wouter"

/** A column: its name (blank for buttons), and the function that renders an item. */
export interface Column<A> {
  readonly name: string
  readonly cell: (item: A) => ReactNode
  /** Whether it is right-aligned, for numbers or buttons. */
  readonly isRight?: boolean
}

interface TableProps<A> {
  /** The accessible name of the table. */
  readonly label: string
  /** The columns. The first one names the item, and links to it if `to` is given. */
  readonly columns: ReadonlyArray<Column<A>>
  readonly items: ReadonlyArray<A>
  readonly keyOf: (item: A) => string
  readonly to?: (item: A) => string
}

/** A table. Its rows become cards in narrow windows. */
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
                  // In narrow windows, the column's name and the content are shown side by side.
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
