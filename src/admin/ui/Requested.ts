import { useEffect } from "react"
import { useSearchParams } from "wouter"

/** Calls `open` when the query asks for it, as links of the palette do: `?create`. Then removes it from the query. */
export const useRequested = (name: string, open: () => void): void => {
  const [params, setParams] = useSearchParams()
  const isRequested = params.has(name)
  useEffect(() => {
    if (!isRequested) return
    open()
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        next.delete(name)
        return next
      },
      { replace: true }
    )
  }, [isRequested, name, open, setParams])
}
