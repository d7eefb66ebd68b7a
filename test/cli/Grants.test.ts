import { describe, expect, test } from "vitest"
import { oauthClient } from "../support/oauth.ts"
import { storedConsent, storedGrant } from "../support/oauthGrants.ts"
import { enrolPasskey, passkeyLogin, realmWithApp } from "../support/passkeys.ts"
import { workerSql } from "../support/sallyport.ts"
import { cli, serviceEnvironment } from "./Cli.ts"

/** A user with a passkey who has authorized an OAuth client, and a terminal environment. */
const place = async () => {
  const realm = await realmWithApp()
  const { key = "" } = await realm.as("write")
  const [user, client, sql] = [await realm.user(), await oauthClient(realm, { consent: "ask" }), await workerSql()]
  const grant = await storedGrant(sql, realm, client.id, user.id)
  const consent = await storedConsent(sql, realm, client.id, user.id)
  return { realm, user, client, grant, consent, sql, environment: serviceEnvironment({ url: realm.url, key }) }
}

describe("sallyport grants", () => {
  test("lists grants by user and app, and revokes them with their tokens", async () => {
    const { realm, user, client, grant, sql, environment } = await place()
    const other = await storedGrant(sql, realm, (await oauthClient(realm)).id, (await realm.user()).id)
    const listed = async (...words: ReadonlyArray<string>) =>
      (await cli(["grants", "list", ...words], { environment })).out
    const line = new RegExp(
      `^${grant} +active +${user.id} +${client.id} +[-\\d]+ [:\\d]+ +[-\\d]+ [:\\d]+ +openid$`,
      "m"
    )
    expect(await listed()).toMatch(line)
    expect(await listed()).toContain(other)
    for (const filter of [
      ["--user", user.string("email")],
      ["--app", client.id]
    ]) {
      expect(await listed(...filter)).toMatch(line)
      expect(await listed(...filter)).not.toContain(other)
    }
    expect(JSON.parse(await listed("--json", "--user", user.id))).toEqual([
      (await realm.get(`/v2/grants/${grant}`)).body
    ])
    expect(await cli(["grants", "revoke", grant], { environment })).toMatchObject({ code: 2, out: "" })
    const { result, events } = await realm.seen.during(() =>
      cli(["grants", "revoke", grant], { environment, answers: ["Grafana"] })
    )
    expect(result).toEqual({
      code: 0,
      out: `The grant of ${user.id} to Grafana (${grant}) was revoked.\n`,
      err: `The tokens of Grafana for ${user.id} (${grant}) will stop working.\nType Grafana to confirm: \n`
    })
    expect(events).toEqual([{ event_type: "oauth.grant.revoked", user_id: user.id, client_app_id: client.id }])
    expect((await realm.get(`/v2/grants/${grant}`)).body).toMatchObject({ state: "ended" })
    expect(await cli(["grants", "revoke", "gr_1", "--yes"], { environment })).toMatchObject({
      code: 1,
      err: expect.stringContaining("sallyport grants list shows what exists")
    })
  })
})

describe("sallyport consents", () => {
  test("lists consents by user and app, and revokes them with their grants", async () => {
    const { realm, user, client, grant, consent, environment } = await place()
    const { out } = await cli(["consents", "list", "--user", user.id, "--app", client.id], { environment })
    expect(out).toMatch(new RegExp(`^${consent} +${user.id} +${client.id} +[-\\d]+ [:\\d]+ +openid$`, "m"))
    const { result, events } = await realm.seen.during(() =>
      cli(["consents", "revoke", consent, "--yes", "--json"], { environment })
    )
    expect(result).toEqual({
      code: 0,
      out: `${JSON.stringify({ id: consent, revoked: true }, undefined, 2)}\n`,
      err: ""
    })
    const about = { user_id: user.id, client_app_id: client.id }
    expect(events).toEqual([
      expect.objectContaining({ event_type: "oauth.consent.revoked", ...about }),
      expect.objectContaining({ event_type: "oauth.grant.revoked", ...about })
    ])
    expect((await realm.get(`/v2/grants/${grant}`)).body).toMatchObject({ state: "ended" })
    expect((await cli(["consents", "list"], { environment })).out).not.toContain(consent)
    expect(await cli(["consents", "list", "--user", "nobody@example.test"], { environment })).toMatchObject({
      out: expect.stringMatching(/^ID +USER +APP +GIVEN +SCOPES AND APIS\n$/)
    })
  })
})

describe("sallyport credentials", () => {
  test("lists a user's credentials and deletes a passkey", async () => {
    const { realm, user, environment } = await place()
    const { id, authenticator } = await enrolPasskey(realm, user.id)
    const words = ["credentials", "list", user.string("email")]
    const { out } = await cli(words, { environment })
    expect(out).toMatch(/^ID +TYPE +NAME +DETAILS$/m)
    expect(out).toMatch(new RegExp(`^${id} +passkey .*last used never$`, "m"))
    expect(JSON.parse((await cli([...words, "--json"], { environment })).out)).toContainEqual(
      (await realm.get(`/v2/credentials/${id}`)).body
    )
    const named = JSON.parse((await cli([...words, "--json"], { environment })).out)
    const { name } = named.find((one: { readonly id: string }) => one.id === id)
    const { result, events } = await realm.seen.during(() =>
      cli(["credentials", "delete", id], { environment, answers: [name ?? "passkey"] })
    )
    expect(result).toMatchObject({ code: 0, out: expect.stringMatching(`\\(${id}\\) of ${user.id} was deleted.\n$`) })
    expect(events).toEqual([expect.objectContaining({ event_type: "user.updated", user_id: user.id })])
    expect((await passkeyLogin(realm, authenticator)).status).toBe(422)
    expect((await cli(words, { environment })).out).not.toContain(id)
    expect(await cli(["credentials", "list", "nobody@example.test"], { environment })).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("could not be found")
    })
  })
})
