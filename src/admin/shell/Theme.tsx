import { createContext, type ReactNode, useContext, useLayoutEffect, useState, useSyncExternalStore } from "react"
import { storedPreference, storePreference } from "../texts/Preferences.ts"

export const themes = ["system", "light", "dark"] as const

export type Theme = (typeof themes)[number]

interface Chosen {
  readonly theme: Theme
  readonly choose: (theme: Theme) => void
}

const ThemeContext = createContext<Chosen>({ theme: "system", choose: () => {} })

/** Applies the color theme that the user chose, or else the system's. */
export const ThemeProvider = ({ children }: { readonly children: ReactNode }) => {
  const [theme, setTheme] = useState<Theme>(() => themes.find((one) => one === storedPreference("theme")) ?? "system")
  useLayoutEffect(() => {
    if (theme === "system") delete document.documentElement.dataset["theme"]
    else document.documentElement.dataset["theme"] = theme
  }, [theme])
  const choose = (next: Theme) => {
    storePreference("theme", next)
    setTheme(next)
  }
  return <ThemeContext value={{ theme, choose }}>{children}</ThemeContext>
}

export const useTheme = (): Chosen => useContext(ThemeContext)

const systemIsDark = matchMedia("(prefers-color-scheme: dark)")

const onSystemChange = (changed: () => void) => {
  systemIsDark.addEventListener("change", changed)
  return () => systemIsDark.removeEventListener("change", changed)
}

/** The current color theme, for drawings. They must be redrawn when the system's theme changes. */
export const useColors = (): "light" | "dark" => {
  const { theme } = useTheme()
  const isDark = useSyncExternalStore(onSystemChange, () => systemIsDark.matches)
  if (theme !== "system") return theme
  return isDark ? "dark" : "light"
}
