import { useRef, useState } from "react"

/** The selected rows of a list. */
export interface Selection<A> {
  readonly items: ReadonlyArray<A>
  readonly has: (item: A) => boolean
  /** Selects or deselects a row. `isRange`: with all rows since the last one. */
  readonly toggle: (item: A, isRange: boolean) => void
  /** Selects all of these rows, or deselects them if all of them are selected. */
  readonly toggleAll: () => void
  /** Whether all, some or no rows of the list are selected. */
  readonly extent: "all" | "some" | "none"
  readonly select: (items: ReadonlyArray<A>) => void
  readonly clear: () => void
}

/** Selects rows of a list. Rows stay selected while the list is filtered or sorted differently. */
export const useSelection = <A extends { readonly id: string }>(listed: ReadonlyArray<A>): Selection<A> => {
  const [selected, setSelected] = useState<ReadonlyMap<string, A>>(new Map())
  const last = useRef<string>(undefined)
  const count = listed.filter(({ id }) => selected.has(id)).length
  const add = (items: ReadonlyArray<A>) => new Map([...selected, ...items.map((item) => [item.id, item] as const)])
  const without = (items: ReadonlyArray<A>) => {
    const gone = new Set(items.map(({ id }) => id))
    return new Map([...selected].filter(([id]) => !gone.has(id)))
  }
  return {
    items: [...selected.values()],
    has: ({ id }) => selected.has(id),
    toggle: (item, isRange) => {
      const ends = [last.current, item.id].map((id) => listed.findIndex((one) => one.id === id))
      const range = isRange && !ends.includes(-1) ? listed.slice(Math.min(...ends), Math.max(...ends) + 1) : [item]
      setSelected(selected.has(item.id) ? without(range) : add(range))
      last.current = item.id
    },
    toggleAll: () => setSelected(count === listed.length ? without(listed) : add(listed)),
    extent: count === 0 ? "none" : count === listed.length ? "all" : "some",
    select: (items) => setSelected(add(items)),
    clear: () => setSelected(new Map())
  }
}
