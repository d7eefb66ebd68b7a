import { ArrowDown, ArrowUp } from "lucide-react"
import { type ReactNode, useEffect, useRef } from "react"
import { Link } from "wouter"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import type { Selection } from "./Selection.ts"

/** A column: its name (blank for buttons), and the function that renders an item. */
export interface Column<A> {
  readonly name: string
  readonly cell: (item: A) => ReactNode
  /** Whether it is right-aligned, for numbers or buttons. */
  readonly isRight?: boolean
  /** The order that the column's heading chooses, if the list can be sorted by it. */
  readonly sort?: string
  /** Whether the column is left out in windows of medium width. */
  readonly isMinor?: boolean
}

/** The order of a list, and the function that changes it. */
export interface TableSort {
  readonly by: string
  readonly direction: "asc" | "desc"
  readonly onSort: (by: string) => void
}

interface TableProps<A> {
  /** The accessible name of the table. */
  readonly label: string
  /** The columns. The first one names the item, and links to it if `to` is given. */
  readonly columns: ReadonlyArray<Column<A>>
  readonly items: ReadonlyArray<A>
  readonly keyOf: (item: A) => string
  readonly to?: (item: A) => string
  readonly sort?: TableSort | undefined
  /** The selected rows, and the name of an item. Without it, rows can't be selected. */
  readonly selection?: Selection<A> | undefined
  readonly nameOf?: ((item: A) => string) | undefined
}

const SelectAll = <A,>({ selection }: { readonly selection: Selection<A> }) => {
  const t = useTexts(common)
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = selection.extent === "some"
  }, [selection.extent])
  return (
    <input
      ref={box}
      type="checkbox"
      aria-label={t.selectAll}
      checked={selection.extent === "all"}
      onChange={selection.toggleAll}
    />
  )
}

const classOf = (isRight: boolean | undefined, isMinor: boolean | undefined): string | undefined =>
  [isRight === true && "right", isMinor === true && "minor"].filter(Boolean).join(" ") || undefined

const Heading = <A,>({ column: { name, isRight, isMinor, sort: by }, sort }: HeadingProps<A>) => {
  const isCurrent = sort !== undefined && by === sort.by
  const order = isCurrent ? (sort.direction === "asc" ? "ascending" : "descending") : undefined
  return (
    <th scope="col" className={classOf(isRight, isMinor)} aria-sort={order}>
      {sort === undefined || by === undefined ? (
        name
      ) : (
        <button type="button" className="sort-button" onClick={() => sort.onSort(by)}>
          {name}
          {isCurrent ? sort.direction === "asc" ? <ArrowUp aria-hidden /> : <ArrowDown aria-hidden /> : null}
        </button>
      )}
    </th>
  )
}

interface HeadingProps<A> {
  readonly column: Column<A>
  readonly sort: TableSort | undefined
}

/** A table. Its rows become cards in narrow windows. */
export const Table = <A,>({ label, columns, items, keyOf, to, sort, selection, nameOf }: TableProps<A>) => {
  const t = useTexts(common)
  return (
    <div className="table-frame">
      <table className={selection === undefined ? "table" : "table selectable"} aria-label={label}>
        <thead>
          <tr>
            {selection === undefined ? null : (
              <td className="select">
                <SelectAll selection={selection} />
              </td>
            )}
            {columns.map((column) =>
              // A column of buttons has no name.
              column.name === "" ? <td key="" /> : <Heading key={column.name} column={column} sort={sort} />
            )}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr
              key={keyOf(item)}
              className={to === undefined ? undefined : "linked"}
              aria-selected={selection === undefined ? undefined : selection.has(item)}
            >
              {selection === undefined ? null : (
                <td className="select">
                  <input
                    type="checkbox"
                    aria-label={t.select(nameOf?.(item) ?? keyOf(item))}
                    checked={selection.has(item)}
                    onChange={({ nativeEvent }) =>
                      selection.toggle(item, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
                    }
                  />
                </td>
              )}
              {columns.map(({ name, cell, isRight, isMinor }, index) => (
                <td
                  key={name}
                  data-label={name}
                  className={[index === 0 && "first", classOf(isRight, isMinor)].filter(Boolean).join(" ") || undefined}
                >
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
}
