import { ArrowDownNarrowWide, ArrowUpNarrowWide } from "lucide-react"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"
import { Button } from "./Button.tsx"
import { useFilters } from "./Filters.ts"
import type { TableSort } from "./Table.tsx"

/** An order of a list: the API's name, its label, and the direction in which it starts. */
export interface Order<Sort extends string> {
  readonly by: Sort
  readonly text: string
  readonly first: "asc" | "desc"
}

interface Sorting<Sort extends string> extends TableSort {
  readonly by: Sort
  readonly orders: ReadonlyArray<Order<Sort>>
}

/** The order of a list, stored in the query string. The first order is the default. */
export const useSorting = <Sort extends string>(
  orders: readonly [Order<Sort>, ...ReadonlyArray<Order<Sort>>]
): Sorting<Sort> => {
  const { chosen, setAll } = useFilters()
  const names = orders.map(({ by }) => by)
  const by = chosen("sort", names)
  const current = orders.find((order) => order.by === by) ?? orders[0]
  const direction = chosen("direction", ["asc", "desc"]) ?? current.first
  return {
    by: current.by,
    direction,
    orders,
    onSort: (name) => {
      const next = orders.find((order) => order.by === name) ?? current
      const other = direction === "asc" ? "desc" : "asc"
      const to = next === current ? other : next.first
      setAll({ sort: next === orders[0] ? "" : next.by, direction: to === next.first ? "" : to })
    }
  }
}

interface SortFieldProps {
  readonly sorting: Sorting<string>
  /** Whether the list is searched: matches have their own order. */
  readonly isSearched: boolean
}

/** The choice of a list's order and direction. Headings of columns choose it, too, but narrow windows have none. */
export const SortField = ({ sorting, isSearched }: SortFieldProps) => {
  const t = useTexts(common)
  const { by, direction, orders, onSort } = sorting
  if (isSearched) return <span className="faint sort-note">{t.bestMatchesFirst}</span>
  return (
    <span className="sort-field">
      <select aria-label={t.sortBy} value={by} onChange={(event) => onSort(event.target.value)}>
        {orders.map((order) => (
          <option key={order.by} value={order.by}>
            {order.text}
          </option>
        ))}
      </select>
      <Button label={direction === "asc" ? t.ascending : t.descending} onClick={() => onSort(by)}>
        {direction === "asc" ? <ArrowUpNarrowWide aria-hidden /> : <ArrowDownNarrowWide aria-hidden />}
      </Button>
    </span>
  )
}
