// Calls the route as Next.js does: with a Request, and a promise of the parameters.
import { Sallyport } from "sallyport/client"
import { start } from "sallyport/testing/promise"

const service = await start()
const admin = new Sallyport({ url: service.url, key: service.key })
const realm = await admin.realms.create({ name: "Acme", jwt_algo: "hs256", jwt_scopes: ["ar.orgs"] })
const sallyport = new Sallyport({ url: service.url, key: service.key, realmId: realm.id })
const join = { org: { name: "Ada & Co" }, permissions: ["billing:read"] }
const ada = await sallyport.users.create({ email: "ada@example.com", credentials: [], ...join })
const bob = await sallyport.users.create({ email: "bob@example.com", credentials: [] })
process.env.JWT_KEY = realm.jwt_key
const { GET } = await import("./route.js")

const org = ada.memberships[0].org_id
const visit = async (user) => {
  const headers =
    user === undefined ? {} : { cookie: `session=${(await sallyport.sessions.create({ user_id: user.id })).token}` }
  const response = await GET(new Request(`https://app.example.com/orgs/${org}`, { headers }), {
    params: Promise.resolve({ org })
  })
  const body = await response.json()
  return [response.status, body.email ?? body.error]
}
console.log(JSON.stringify([await visit(ada), await visit(bob), await visit(undefined)]))
await service.stop()
