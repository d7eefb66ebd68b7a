import { execFileSync } from "node:child_process"
import { expect, test } from "vitest"
import type { ConnectedApp } from "#client/generated/types/ConnectedApp"
import { curlCommand } from "../../src/admin/calls/ShellText.ts"
import { type ClientKind, clientKinds } from "../../src/admin/clients/ClientKinds.ts"
import { snippetsOf } from "../../src/admin/clients/Snippets.ts"
import { rejectedRowsCsv } from "../../src/admin/imports/RejectedRowsCsv.ts"

/** Runs a text in a shell where curl prints its arguments. */
const pasted = (text: string): ReadonlyArray<string> =>
  execFileSync("sh", ["-c", `curl() { printf '%s\\n' "$@"; }; uuidgen() { echo 1; }; ${text}`], { encoding: "utf8" })
    .split("\n")
    .slice(0, -1)

test("SEC-219: quotes values in a copied command, so that the shell never runs a value", () => {
  const name = 'it\'s; $(echo ran) `echo ran` "$HOME" \\ !! \n# | x'
  const body = JSON.stringify({ user: { name } })
  const url = "https://id.example.test/console/api/v2/users/o'$(echo ran)"
  const init = { method: "PUT", headers: { "idempotency-key": "1" }, body, redirect: "manual" as const }
  const pastedArguments = pasted(curlCommand(url, { ...init, signal: new AbortController().signal }))
  expect(pastedArguments.slice(0, 3)).toEqual(["-X", "PUT", "https://id.example.test/v2/users/o'$(echo ran)"])
  expect(pastedArguments.at(-1)).toBe(body)
})

test("SEC-219: escapes control and bidirectional characters in a copied command", () => {
  const init = { method: "POST", headers: {}, body: JSON.stringify({ name: "a\u007f\u009b\u2028\u202eb" }) }
  const command = curlCommand("https://id.example.test/console/api/v2/orgs", {
    ...init,
    redirect: "manual",
    signal: new AbortController().signal
  })
  expect(command).toContain('{"name":"a\\u007f\\u009b\\u2028\\u202eb"}')
})

/** A client in which every text contains a shell command. */
const hostile = (kind: ClientKind, method: ConnectedApp["token_endpoint_auth_method"]) => ({
  id: "lpl_1",
  client_id: "https://evil.example/;x=$(echo$IFS'ran')",
  client_type: kind,
  token_endpoint_auth_method: method,
  allowed_scopes: ["openid", "$(echo)`echo`"],
  redirect_uris: ["https://evil.example/?a=`echo`&b='$(echo)"],
  resources: ["x:$(echo);y"]
})

test.each(clientKinds)("SEC-219: quotes a %s client's settings in every snippet", (kind) => {
  for (const method of ["none", "client_secret_basic"] as const) {
    const client = hostile(kind, method)
    const [redirect, scope] = [client.redirect_uris.join(), client.allowed_scopes.join(" ")]
    for (const { name, text } of snippetsOf(client, "https://id.example.test/realms/rl_1")) {
      if (name === "curl") {
        const secret = "OIDC_CLIENT_SECRET=secret; DEVICE_CODE=code; "
        const pastedArguments = pasted(secret + text)
        expect(pastedArguments).toContain(
          method === "none" && kind === "device" ? `client_id=${client.client_id}` : `${client.client_id}:secret`
        )
        expect(pastedArguments).toContain(`scope=${scope}`)
        expect(pastedArguments).toContain(`resource=${client.resources.join()}`)
      }
      if (name === ".env") {
        const pastedArguments = pasted(`${text}\ncurl "$OIDC_CLIENT_ID" "$OIDC_SCOPES" "$OIDC_REDIRECT_URI"`)
        expect(pastedArguments).toEqual([client.client_id, scope, redirect])
      }
    }
  }
})

test("SEC-218: prevents a reference in the file of rejected rows from becoming a spreadsheet formula", () => {
  const rowOf = (reference: string) => ({ line: 2, reference, errors: ["E-mail is not valid."] })
  const begins = ["=", "+", "-", "@", "\t=", "＝"]
  for (const begin of begins) {
    const reference = `${begin}HYPERLINK("https://evil.example","x")`
    expect(rejectedRowsCsv([rowOf(reference)])).toBe(
      `line,reference,problem\n2,"'${reference.replaceAll('"', '""')}","E-mail is not valid."\n`
    )
  }
  expect(rejectedRowsCsv([rowOf("u-1")])).toBe('line,reference,problem\n2,"u-1","E-mail is not valid."\n')
})
