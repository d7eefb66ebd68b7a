import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Unauthorized } from "#client/Errors"
import { Sallyport } from "#client/Sallyport"

/** The user who can log in. */
export const PERSON = {
  email: "ada@example.com",
  password: "correct horse battery",
  first_name: "Ada",
  last_name: "Lovelace"
} as const

/** The contents of a development service: a realm with an app, a user who can log in, and an API key for the app's backend. */
export interface Workspace {
  readonly realmId: string
  readonly appId: string
  /** The host of the app's pages. */
  readonly host: string
  /** An API key of level `admin_realm`, bound to the realm. */
  readonly key: string
}

/** The reference that identifies the workspace after a restart. */
const REFERENCE = "sallyport-dev"

/** The parameters for creating the workspace. `appUrl`: the URL of the developer's app, where logins redirect to. */
export interface Plan {
  readonly url: string
  readonly rootKey: string
  readonly appUrl: string
  readonly callback: string
  readonly dataDir: string | undefined
}

const realmOf = async (sallyport: Sallyport): Promise<string> => {
  const { items } = await sallyport.realms.list({ reference: REFERENCE })
  const [found] = items
  if (found !== undefined) return found.id
  const realm = {
    name: "My app",
    reference: REFERENCE,
    environment: "test",
    jwt_algo: "rs256",
    jwt_scopes: "ar.orgs",
    username_validation_human: "email"
  } as const
  return (await sallyport.realms.create(realm)).id
}

const appOf = async (sallyport: Sallyport, realm_id: string, { appUrl, callback }: Plan) => {
  const returns = { login_handler: callback, logout_uris: [appUrl] }
  const { items } = await sallyport.clientApps.list({ realm_id })
  const [found] = items
  return found === undefined
    ? sallyport.clientApps.create({ realm_id, name: "My app", ...returns })
    : sallyport.clientApps.update(found.id, { realm_id, ...returns })
}

const ensurePerson = async (sallyport: Sallyport, realm_id: string): Promise<void> => {
  const { items } = await sallyport.users.list({ realm_id, email: PERSON.email })
  if (items.length === 0) await sallyport.users.create({ realm_id, ...PERSON })
}

/** Whether a key from an earlier start is still valid. */
const isAccepted = async (url: string, key: string, realmId: string): Promise<boolean> => {
  try {
    await new Sallyport({ url, key }).realms.get(realmId)
    return true
  } catch (error) {
    if (error instanceof Unauthorized) return false
    throw error
  }
}

/** The key for the app's backend, which is stored with the data. */
const keyOf = async (sallyport: Sallyport, realm_id: string, { url, dataDir }: Plan): Promise<string> => {
  const file = dataDir === undefined ? undefined : join(dataDir, "app_key")
  const storedKey = file !== undefined && existsSync(file) ? readFileSync(file, "utf8").trim() : ""
  if (storedKey !== "" && (await isAccepted(url, storedKey, realm_id))) return storedKey
  const { key = "" } = await sallyport.apiKeys.create({ name: "my app's backend", level: "admin_realm", realm_id })
  if (file !== undefined) writeFileSync(file, `${key}\n`, { mode: 0o600 })
  return key
}

/** Creates the workspace, or finds the one that an earlier start created. */
export const makeWorkspace = async (plan: Plan): Promise<Workspace> => {
  const sallyport = new Sallyport({ url: plan.url, key: plan.rootKey })
  const realmId = await realmOf(sallyport)
  const [app, key] = await Promise.all([
    appOf(sallyport, realmId, plan),
    keyOf(sallyport, realmId, plan),
    ensurePerson(sallyport, realmId)
  ])
  return { realmId, appId: app.id, host: app.domains[0] ?? "", key }
}
