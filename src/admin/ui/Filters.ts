import { useCallback } from "react"
import { useSearchParams } from "wouter"

/** The filters of a list, stored in the query string. Returns their values by name (blank if unset), and a setter. */
export const useFilters = () => {
  const [params, setParams] = useSearchParams()
  const setAll = useCallback(
    (changes: Readonly<Record<string, string>>) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before)
          for (const [name, value] of Object.entries(changes)) {
            if (value === "") next.delete(name)
            else next.set(name, value)
          }
          return next
        },
        { replace: true }
      ),
    [setParams]
  )
  const set = useCallback((name: string, value: string) => setAll({ [name]: value }), [setAll])
  const onSearch = useCallback((text: string) => set("search", text.trim()), [set])
  const chosen = <V extends string>(name: string, values: ReadonlyArray<V>): V | undefined =>
    values.find((value) => value === params.get(name))
  return { search: params.get("search") ?? "", chosen, set, setAll, onSearch }
}
