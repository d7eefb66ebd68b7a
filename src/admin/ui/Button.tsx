import type { ReactNode } from "react"
import { Link } from "wouter"
import { Spinner } from "./Loading.tsx"

interface Look {
  /** `primary`: the page's main action; `danger`: destructive; `quiet`: without a border. Default: plain. */
  readonly kind?: "primary" | "danger" | "quiet"
  readonly small?: boolean
  /** The accessible name of a button that shows only an icon. */
  readonly label?: string
  readonly children: ReactNode
}

interface ButtonProps extends Look {
  readonly type?: "button" | "submit"
  readonly onClick?: () => void
  readonly disabled?: boolean
  /** Whether the action is in progress. */
  readonly pending?: boolean
}

const classOf = ({ kind, small, label }: Omit<Look, "children">): string =>
  ["button", kind, small === true && "small", label !== undefined && "icon"].filter(Boolean).join(" ")

export const Button = ({ type = "button", onClick, disabled, pending = false, children, ...look }: ButtonProps) => (
  <button
    type={type}
    className={classOf(look)}
    onClick={onClick}
    disabled={disabled === true || pending}
    aria-busy={pending}
    aria-label={look.label}
    title={look.label}
  >
    {pending ? <Spinner /> : null}
    {children}
  </button>
)

/** A link to another page of the console, styled as a button. */
export const ButtonLink = ({ to, children, ...look }: Look & { readonly to: string }) => (
  <Link href={to} className={classOf(look)} aria-label={look.label}>
    {children}
  </Link>
)
