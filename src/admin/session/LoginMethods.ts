import { useEffect, useState } from "react"
import { type LoginMethods, readLoginMethods } from "../calls/ConsoleSession.ts"

/** How people can log in, or undefined until the service has answered. */
export const useLoginMethods = (): LoginMethods | undefined => {
  const [methods, setMethods] = useState<LoginMethods | undefined>()
  useEffect(() => {
    void readLoginMethods().then(setMethods)
  }, [])
  return methods
}
