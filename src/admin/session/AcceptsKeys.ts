import { useEffect, useState } from "react"
import { acceptsKeys } from "../calls/ConsoleSession.ts"

/** Whether API keys may log in, or undefined until the service has answered. */
export const useAcceptsKeys = (): boolean | undefined => {
  const [accepts, setAccepts] = useState<boolean | undefined>()
  useEffect(() => {
    void acceptsKeys().then(setAccepts)
  }, [])
  return accepts
}
