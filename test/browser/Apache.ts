import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { freePort } from "./Site.ts"

const MODULES = process.env.APACHE_MODULES ?? "/usr/lib/apache2/modules"

/** Whether Apache and `mod_auth_openidc` are installed on this machine as Debian packages. */
export const hasApache = (): boolean => existsSync(join(MODULES, "mod_auth_openidc.so"))

/** The configuration of Apache's relying party. */
export interface ApacheClient {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Whether the provider metadata omits the userinfo endpoint, so that only the ID token is used. */
  readonly isWithoutUserInfo?: boolean
  /** Additional configuration lines. */
  readonly lines?: ReadonlyArray<string>
}

/** The port and URLs of Apache, which are known before its client is registered. */
export interface ApachePlace {
  readonly origin: string
  readonly redirectUri: string
  readonly postLogoutRedirectUri: string
}

/** Chooses a port for Apache and returns its URLs. */
export const apachePlace = async (): Promise<ApachePlace> => {
  const origin = `http://app.localhost:${await freePort()}`
  return { origin, redirectUri: `${origin}/secured/callback`, postLogoutRedirectUri: `${origin}/bye.html` }
}

const modules = [
  ["mpm_event", "mpm_event"],
  ["authn_core", "authn_core"],
  ["authz_core", "authz_core"],
  ["authz_user", "authz_user"],
  ["include", "include"],
  ["mime", "mime"],
  ["dir", "dir"],
  ["auth_openidc", "auth_openidc"]
] as const

const discoveryOf = ({ issuer }: ApacheClient) => `${issuer}/.well-known/openid-configuration`

/** The issuer's discovery document without the userinfo endpoint. */
const withoutUserInfo = async (client: ApacheClient): Promise<string> => {
  const { userinfo_endpoint: _, ...others } = Object(await (await fetch(discoveryOf(client))).json())
  return JSON.stringify(others)
}

const configuration = (folder: string, { origin, redirectUri }: ApachePlace, client: ApacheClient): string => {
  const { port, hostname } = new URL(origin)
  return [
    `ServerName ${hostname}:${port}`,
    `Listen 127.0.0.1:${port}`,
    `PidFile ${folder}/pid`,
    `Mutex file:${folder} default`,
    `ErrorLog ${folder}/error.log`,
    ...modules.map(([name, file]) => `LoadModule ${name}_module ${MODULES}/mod_${file}.so`),
    ...(process.getuid?.() === 0 ? ["User www-data", "Group www-data"] : []),
    "TypesConfig /dev/null",
    "AddType text/html .html",
    "AddOutputFilter INCLUDES .html",
    `DocumentRoot ${folder}/site`,
    "DirectoryIndex index.html",
    `<Directory ${folder}/site>`,
    "  Options +Includes",
    "</Directory>",
    `OIDCProviderMetadataURL ${client.isWithoutUserInfo === true ? `${origin}/provider.json` : discoveryOf(client)}`,
    `OIDCClientID ${client.clientId}`,
    `OIDCClientSecret ${client.clientSecret}`,
    `OIDCRedirectURI ${redirectUri}`,
    "OIDCCryptoPassphrase of-no-importance",
    'OIDCScope "openid profile email"',
    "OIDCPKCEMethod S256",
    "OIDCRemoteUserClaim email",
    ...(client.lines ?? []),
    "<Location /secured>",
    "  AuthType openid-connect",
    "  Require valid-user",
    "</Location>",
    ""
  ].join("\n")
}

const page = (text: string) => `<!doctype html><html lang="en"><title>Apache</title><h1>${text}</h1></html>\n`

const isRunning = async ({ origin }: ApachePlace): Promise<boolean> => {
  try {
    return (await fetch(`http://127.0.0.1:${new URL(origin).port}/bye.html`)).ok
  } catch {
    return false
  }
}

/** Runs Apache with a protected page (`/secured/`) and a public one (`/bye.html`) until `use` is done. */
export const withApache = async <A>(
  place: ApachePlace,
  client: ApacheClient,
  use: (log: () => string) => Promise<A>
): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-apache-"))
  chmodSync(folder, 0o755)
  mkdirSync(join(folder, "site/secured"), { recursive: true })
  writeFileSync(
    join(folder, "site/secured/index.html"),
    page('Hello, <!--#echo var="OIDC_CLAIM_name" --> (<!--#echo var="REMOTE_USER" -->)')
  )
  writeFileSync(join(folder, "site/bye.html"), page("Bye"))
  writeFileSync(join(folder, "site/provider.json"), await withoutUserInfo(client))
  writeFileSync(join(folder, "apache.conf"), configuration(folder, place, client))
  const log = () => (existsSync(join(folder, "error.log")) ? readFileSync(join(folder, "error.log"), "utf8") : "")
  const apache = spawn("apache2", ["-f", join(folder, "apache.conf"), "-D", "FOREGROUND"], { stdio: "pipe" })
  let output = ""
  apache.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()))
  const ended = once(apache, "close")
  try {
    while (!(await isRunning(place))) {
      if (apache.exitCode !== null) throw new Error(`Apache exited: ${output} ${log()}`)
      await setTimeout(50)
    }
    return await use(log)
  } finally {
    apache.kill("SIGTERM")
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
}
