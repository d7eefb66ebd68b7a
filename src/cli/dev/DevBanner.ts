import type { Style } from "../Style.ts"
import { PERSON, type Workspace } from "./Workspace.ts"

/** The details of a development service. */
export interface DevFacts extends Pick<Workspace, "realmId" | "appId" | "key"> {
  readonly url: string
  readonly rootKey: string
  readonly loginUrl: string
  /** A link that logs in to the console with the root key once, or undefined if API keys may not log in. */
  readonly consoleLoginUrl: string | undefined
  readonly callback: string
  /** The folder with its data, or undefined if nothing is stored. */
  readonly dataDir: string | undefined
}

/** The details of a development service as JSON. */
export const devJson = (facts: DevFacts) => {
  const { url, realmId, appId, key, rootKey, loginUrl, consoleLoginUrl, callback, dataDir } = facts
  return {
    url,
    realm_id: realmId,
    app_id: appId,
    key,
    root_key: rootKey,
    login_url: loginUrl,
    login_handler: callback,
    console_url: `${url}/console`,
    console_login_url: consoleLoginUrl ?? null,
    mailbox_url: `${url}/mailbox`,
    docs_url: `${url}/docs`,
    user: { email: PERSON.email, password: PERSON.password },
    data: dataDir ?? null
  }
}

/** The banner printed when the service is ready: its URLs, and the settings to paste into an app. */
export const devBanner = (facts: DevFacts, { bold, dim }: Style): string => {
  const { url, realmId, key, rootKey, loginUrl, consoleLoginUrl, callback, dataDir } = facts
  const storageNote =
    dataDir === undefined
      ? "All data is in memory and is lost when you press Ctrl-C. Use --data <folder> to keep it."
      : `All data is stored in ${dataDir}.`
  return [
    "",
    `  ${bold("Sallyport for development")} is ready at ${url}`,
    "",
    `  Log in      ${bold(loginUrl)}`,
    `              as ${PERSON.email} with the password ${PERSON.password}, or sign up`,
    `              ${dim(`and return to ${callback}`)}`,
    ...(consoleLoginUrl === undefined
      ? [`  Console     ${url}/console`, `              ${dim("log in with your own account")}`]
      : [
          `  Console     ${consoleLoginUrl}`,
          `              ${dim("logs you in with the root key; the link works once, for 15 minutes")}`
        ]),
    `  Mailbox     ${url}/mailbox`,
    `  Reference   ${url}/docs`,
    "",
    `  Realm       ${realmId}`,
    `  Key         ${key}`,
    `              ${dim("for your app's backend: level admin_realm, bound to this realm")}`,
    `  Root key    ${rootKey}`,
    "",
    `  ${bold("Call it:")}`,
    "",
    `    curl ${url}/v2/users -H "Authorization: Bearer ${key}"`,
    "",
    `  ${bold("From your app:")}`,
    "",
    "    npm install sallyport",
    "",
    '    import { Sallyport } from "sallyport/client"',
    "",
    "    const sallyport = new Sallyport({",
    `      url: "${url}",`,
    `      key: "${key}"`,
    "    })",
    "    for await (const user of sallyport.users.list()) console.log(user.email)",
    "",
    `  ${bold("From a terminal:")}`,
    "",
    `    export SALLYPORT_URL=${url} SALLYPORT_KEY=${rootKey}`,
    "    sallyport realms list",
    "",
    `  ${storageNote}`,
    "",
    ""
  ].join("\n")
}
