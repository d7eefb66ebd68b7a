import { useEffect } from "react"

/** Sets the window title to the page's title. */
export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} · Sallyport`
  }, [title])
}
