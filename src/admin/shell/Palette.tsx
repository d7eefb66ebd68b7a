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
import { useGlobalPages, useGlobalTargets } from "./GlobalTargets.ts"
import { navigation } from "./Navigation.ts"
import { startedActions } from "./PaletteActions.ts"
import { MAX_MATCHES, matches, type Target, type TargetGroup } from "./PaletteTargets.ts"
import { pathIn, pathOfKey } from "./Paths.ts"
import { shellTexts } from "./Texts.ts"

/** Joins groups of the same name: several parts of a page offer actions on its resource. */
const merged = (groups: ReadonlyArray<TargetGroup>): ReadonlyArray<TargetGroup> =>
  [...Map.groupBy(groups, ({ name }) => name)].map(([name, parts]) => ({
    name,
    targets: parts.flatMap(({ targets }) => targets)
  }))

interface Found {
  readonly groups: ReadonlyArray<TargetGroup>
  /** What can be typed. */
  readonly help: string
  /** Shown if nothing is found. */
  readonly noMatch: string
}

const withTargets = (groups: ReadonlyArray<TargetGroup>) => groups.filter(({ targets }) => targets.length > 0)

/** Finds destinations and actions: pages, users, orgs and apps by name, API keys by ID; and realms outside of one. */
const useTargets = (typed: string): Found => {
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
  const account = useGlobalPages()
  const everywhere = useGlobalTargets(search)
  if (realmId === undefined) {
    const pages = { name: t.pagesGroup, targets: account.filter(({ text }) => matches(text, search)) }
    return { ...everywhere, groups: withTargets([...everywhere.groups, keys, pages]) }
  }
  const current = currentPageActions().map(({ subject, actions }) => ({
    name: subject,
    targets: actions
      .filter(({ text, disabled }) => disabled !== true && matches(text, search))
      .map(({ text, onClick }) => ({ to: onClick, text }))
  }))
  const pages = navigation(session.service, may).flatMap(({ entries }) => entries)
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
  return { groups: withTargets(groups), help: t.jumpHelp, noMatch: t.noMatch }
}

/** The command palette: jumps to any page, user, org or app, and starts actions. */
export const Palette = ({ onClose }: { readonly onClose: () => void }) => {
  const t = useTexts(shellTexts)
  const [, navigate] = useLocation()
  const [typed, setTyped] = useState("")
  const { groups, help, noMatch } = useTargets(useDeferredValue(typed))
  const go = (to: Target["to"]) => {
    onClose()
    if (typeof to === "string") navigate(to)
    else to()
  }
  return (
    <Dialog title={t.jumpTo} onClose={onClose}>
      <ComboboxProvider open setOpen={() => {}} value={typed} setValue={setTyped}>
        <Combobox className="palette-field" placeholder={help} aria-label={t.jumpTo} autoSelect="always" autoFocus />
        <ComboboxList className="palette-list" alwaysVisible>
          {groups.length === 0 ? <p className="faint">{noMatch}</p> : null}
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
