import {
  Combobox,
  ComboboxGroup,
  ComboboxGroupLabel,
  ComboboxItem,
  ComboboxList,
  ComboboxProvider
} from "@ariakit/react"
import { useDeferredValue, useState } from "react"
import { useLocation } from "wouter"
import { useRead } from "../calls/Reads.ts"
import { useScope } from "../calls/Scope.tsx"
import { useKeyNames, useReadableKey } from "../session/ReadableKey.ts"
import { useSession } from "../session/SessionState.tsx"
import { useTexts } from "../texts/Language.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { currentPageActions } from "../ui/PageActions.ts"
import { navigation } from "./Navigation.ts"
import { startedActions } from "./PaletteActions.ts"
import { pathIn, pathOfKey } from "./Paths.ts"
import { shellTexts } from "./Texts.ts"

/** A destination of the palette, or an action on the page's resource. */
interface Target {
  readonly to: string | (() => void)
  readonly text: string
  readonly detail?: string | undefined
}

interface TargetGroup {
  readonly name: string
  readonly targets: ReadonlyArray<Target>
}

const MAX_MATCHES = 6

const matches = (text: string, typed: string): boolean =>
  typed === "" || text.toLocaleLowerCase().includes(typed.toLocaleLowerCase())

/** Joins groups of the same name: several parts of a page offer actions on its resource. */
const merged = (groups: ReadonlyArray<TargetGroup>): ReadonlyArray<TargetGroup> =>
  [...Map.groupBy(groups, ({ name }) => name)].map(([name, parts]) => ({
    name,
    targets: parts.flatMap(({ targets }) => targets)
  }))

/** Finds destinations and actions: pages, users, orgs and apps by name, API keys by ID. */
const useTargets = (typed: string): ReadonlyArray<TargetGroup> => {
  const t = useTexts(shellTexts)
  const { realmId } = useScope()
  const { session, may } = useSession()
  const enabled = realmId !== undefined && typed.trim() !== ""
  const search = typed.trim()
  const users = useRead(
    ["users", "palette", search],
    async (sdk) => await sdk.users.list({ search, max_results: MAX_MATCHES }),
    { enabled }
  )
  const orgs = useRead(
    ["orgs", "palette", search],
    async (sdk) => await sdk.orgs.list({ search, max_results: MAX_MATCHES }),
    { enabled }
  )
  const apps = useRead(["client_apps", "palette"], async (sdk) => await sdk.clientApps.list({ max_results: 100 }), {
    enabled: realmId !== undefined
  })
  const { data: key } = useReadableKey(search)
  const nameOf = useKeyNames()
  const keys: TargetGroup = {
    name: t.pages.apiKeys,
    targets: key === undefined ? [] : [{ to: pathOfKey(key), text: nameOf(key) ?? key.id, detail: key.id }]
  }
  const account: ReadonlyArray<Target> = [
    ...(session.realm_id === null ? [{ to: "/realms", text: t.pages.realms }] : []),
    ...(may("admin_all_realms") ? [{ to: "/team", text: t.pages.team }] : [])
  ]
  if (realmId === undefined)
    return [keys, { name: t.pagesGroup, targets: account.filter(({ text }) => matches(text, search)) }].filter(
      ({ targets }) => targets.length > 0
    )
  const current = currentPageActions().map(({ subject, actions }) => ({
    name: subject,
    targets: actions
      .filter(({ text, disabled }) => disabled !== true && matches(text, search))
      .map(({ text, onClick }) => ({ to: onClick, text }))
  }))
  const pages = navigation(session.service).flatMap(({ entries }) => entries)
  const groups: ReadonlyArray<TargetGroup> = [
    ...merged(current),
    {
      name: t.usersGroup,
      targets: (enabled ? (users.data?.items ?? []) : []).map(({ id, name, email }) => ({
        to: pathIn(realmId, "users", id),
        text: name ?? email ?? id,
        detail: email ?? id
      }))
    },
    {
      name: t.orgsGroup,
      targets: (enabled ? (orgs.data?.items ?? []) : []).map(({ id, name }) => ({
        to: pathIn(realmId, "orgs", id),
        text: name ?? id,
        detail: id
      }))
    },
    {
      name: t.appsGroup,
      targets: (search === "" ? [] : (apps.data?.items ?? []))
        .filter(({ name }) => matches(name, search))
        .slice(0, MAX_MATCHES)
        .map(({ id, name, client_type }) => ({
          to: pathIn(realmId, client_type === "standard" ? "apps" : "clients", id),
          text: name,
          detail: id
        }))
    },
    keys,
    {
      name: t.pagesGroup,
      targets: [
        ...pages.map(({ page, path }) => ({ to: pathIn(realmId) + path, text: t.pages[page] })),
        ...account
      ].filter(({ text }) => matches(text, search))
    },
    {
      name: t.actionsGroup,
      targets: startedActions
        .filter(({ level }) => may(level))
        .map(({ name, path }) => ({ to: pathIn(realmId) + path, text: t.actions[name] }))
        .filter(({ text }) => matches(text, search))
    }
  ]
  return groups.filter(({ targets }) => targets.length > 0)
}

/** The command palette: jumps to any page, user, org or app, and starts actions. */
export const Palette = ({ onClose }: { readonly onClose: () => void }) => {
  const t = useTexts(shellTexts)
  const [, navigate] = useLocation()
  const [typed, setTyped] = useState("")
  const groups = useTargets(useDeferredValue(typed))
  const go = (to: Target["to"]) => {
    onClose()
    if (typeof to === "string") navigate(to)
    else to()
  }
  return (
    <Dialog title={t.jumpTo} onClose={onClose}>
      <ComboboxProvider open setOpen={() => {}} value={typed} setValue={setTyped}>
        <Combobox
          className="palette-field"
          placeholder={t.jumpHelp}
          aria-label={t.jumpTo}
          autoSelect="always"
          autoFocus
        />
        <ComboboxList className="palette-list" alwaysVisible>
          {groups.length === 0 ? <p className="faint">{t.noMatch}</p> : null}
          {groups.map(({ name, targets }) => (
            <ComboboxGroup key={name}>
              <ComboboxGroupLabel className="palette-group">{name}</ComboboxGroupLabel>
              {targets.map(({ to, text, detail }) => (
                <ComboboxItem
                  key={typeof to === "string" ? to : text}
                  value={typeof to === "string" ? to : text}
                  className="menu-item"
                  focusOnHover
                  setValueOnClick={false}
                  hideOnClick={false}
                  onClick={() => go(to)}
                >
                  <span>{text}</span>
                  {detail === undefined ? null : <span className="faint">{detail}</span>}
                </ComboboxItem>
              ))}
            </ComboboxGroup>
          ))}
        </ComboboxList>
      </ComboboxProvider>
    </Dialog>
  )
}
