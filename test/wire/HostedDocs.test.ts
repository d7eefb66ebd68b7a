import { describe, expect, test } from "vitest"
import { type HostedOperationName, hostedOperations } from "#api/hosted/V1"
import { Api, type Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { hostedAt, operationNames, statusAndBody } from "../support/hostedApi.ts"
import { enrolled } from "../support/logins.ts"
import { authenticatorResponse, passkeyOptionsBy } from "../support/passkeyPages.ts"
import { enrolPasskey } from "../support/passkeys.ts"
import { wireService } from "../support/sallyport.ts"
import { passwordTokenV1 } from "../support/tokens.ts"

type Input = Readonly<Record<string, string>>

interface Documented {
  readonly parameters: ReadonlyArray<{ readonly name: string; readonly example?: string; readonly required: boolean }>
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly example: Input; readonly schema: { readonly required: ReadonlyArray<string> } }>
    >
  }
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly examples: Examples }>> }>
  >
}

interface Examples {
  readonly default?: { readonly value: object }
  readonly refused: { readonly value: object }
}

const documented = async () => {
  const { paths } = JSON.parse((await new Api((await wireService()).url, undefined).get("/openapi.json")).text)
  return (path: string, method: string): Documented => paths[path][method]
}

const PASSWORD = "correct horse battery"

/** A realm with the user of the examples, and an app with hosted login. */
const setUp = async (settings = {}) => {
  const realm = await (await wireService()).given.realm(settings)
  const user = await realm.user({ username: "jo", email: "jo@example.com", password: PASSWORD })
  return { realm, user, at: await hostedAt(realm) }
}

type Setting = Awaited<ReturnType<typeof setUp>>

const withEmailCodes = ({ realm }: Setting) =>
  realm.put("/v2/auth_providers/email_code", { auth_provider: { state: "active" } })

/** Replaces the secrets in an example by the user's own secrets. */
const withOwnSecrets = async (example: Input, { realm, user, at }: Setting): Promise<Input> => {
  if (example["response"] !== undefined) {
    const { origin } = at
    const { authenticator } = await enrolPasskey(realm, user.id, { origin })
    return {
      ...example,
      ...authenticatorResponse(authenticator, passkeyOptionsBy(await at.post("passkeyOptions")), { origin })
    }
  }
  const own: Record<string, string> = { ...example }
  if (own["code"] !== undefined) own["code"] = (await enrolled(realm, user.id)).code()
  const login = async () => (await at.post("login", { username: "jo", password: PASSWORD })).string("token")
  if (own["token"] !== undefined) {
    own["token"] = own["token"].startsWith("kpw_") ? await passwordTokenV1(realm, user.id) : await login()
  }
  return own
}

const shownBy = ({ responses }: Documented, type = "application/json") => responses["200"]?.content[type]?.examples

const exampleOf = ({ requestBody }: Documented) => requestBody?.content["application/json"]

/** The id of the realm's passkey provider. */
const passkeyProvider = async (realm: GivenRealm): Promise<string> =>
  String((await realm.get("/v2/auth_providers")).items.find(({ provider_type }) => provider_type === "passkey")?.["id"])

/** The members of a response. Values that vary are masked. */
const outline = (answer: unknown) => {
  const members = Object.entries(Object(answer)).map(([name, value]) => [
    name,
    ["token", "url", "options"].includes(name) ? "…" : value
  ])
  return Object.fromEntries(members)
}

describe("each example request of hosted login works on an app's host and returns the documented response", () => {
  test.each(operationNames)("%s", async (name) => {
    const find = await documented()
    const { path } = hostedOperations[name]
    const [post, get] = [find(path, "post"), find(path, "get")]

    const setting = await setUp()
    await withEmailCodes(setting)
    const { example = {}, schema } = exampleOf(post) ?? {}
    const input = await withOwnSecrets(example, setting)
    for (const field of schema?.required ?? []) {
      const { [field]: _, ...others } = input
      expect((await setting.at.post(name, others)).string("error"), field).toContain("can't be blank.")
    }
    const reply = await setting.at.post(name, input)
    expect([reply.status, outline(reply.body)]).toEqual([200, outline(shownBy(post)?.default?.value)])

    const another = await setUp()
    await withEmailCodes(another)
    const examples = get.parameters.flatMap((one) => (one.example === undefined ? [] : [[one.name, one.example]]))
    const query = await withOwnSecrets(Object.fromEntries(examples), another)
    expect(query["callback"]).toBe("show")
    const script = await another.at.get(name, query)
    expect([script.status, script.headers.get("content-type")]).toEqual([200, "application/javascript; charset=utf-8"])
    const called = (text: unknown) => JSON.parse(/^\/\*\*\/show\((.*)\);$/.exec(String(text))?.[1] ?? "null")
    expect(outline(called(script.text))).toEqual(
      outline(called(shownBy(get, "application/javascript")?.default?.value))
    )
  })
})

describe("each documented error of hosted login matches the actual error", () => {
  /** The calls that cause the documented errors. */
  const ways: Readonly<Record<HostedOperationName, (setting: Setting, example: Input) => Promise<Reply>>> = {
    login: ({ at }) => at.post("login", { username: "jo", password: "wrong" }),
    verifyLogin: ({ at }, example) => at.post("verifyLogin", example),
    sendCode: ({ at }, example) => at.post("sendCode", example),
    passkeyOptions: async ({ at, realm }) => {
      await realm.put(`/v2/auth_providers/${await passkeyProvider(realm)}`, { auth_provider: { state: "inactive" } })
      return at.post("passkeyOptions")
    },
    passkeyLogin: async ({ at }, example) =>
      at.post("passkeyLogin", { ...example, token: (await at.post("passkeyOptions")).string("token") }),
    logout: ({ at }, example) => at.post("logout", example, { origin: "https://evil.example" }),
    checkSession: ({ at }, example) => at.post("checkSession", example),
    forgotPassword: ({ at }) => at.post("forgotPassword"),
    resetPassword: ({ at }, example) => at.post("resetPassword", example),
    updatePassword: ({ at }, example) => at.post("updatePassword", example),
    signup: ({ at }, example) => at.post("signup", example),
    resendEmailToken: ({ at }) => at.post("resendEmailToken")
  }

  test.each(operationNames)("%s", async (name) => {
    const post = (await documented())(hostedOperations[name].path, "post")
    const setting = await setUp(name === "signup" ? { signup: "closed" } : {})
    const reply = await ways[name](setting, exampleOf(post)?.example ?? {})
    expect(statusAndBody(reply)).toEqual([200, shownBy(post)?.refused.value])
    const atUnknownHost = await setting.at.post(name, {}, { host: "nobody.local.localhost" })
    expect(statusAndBody(atUnknownHost)).toEqual([
      404,
      post.responses["404"]?.content["application/json"]?.examples.default?.value
    ])
  })
})

test("GET /auth/{provider} redirects to the provider with 302 and a cookie, as documented", async () => {
  const { parameters } = (await documented())("/auth/{provider}", "get")
  const realm = await (await wireService()).given.realm()
  const provider = await realm.authProvider()
  const returning = parameters.find(({ name }) => name === "redirect_uri")?.example ?? ""
  const { inBrowser, origin } = await hostedAt(realm, { redirect_uris: [returning] })
  const query = new URLSearchParams({ redirect_uri: returning })
  const reply = await inBrowser().browser.go(`${origin}/auth/${provider.id}?${query}`)
  expect([reply.status, reply.headers.get("location")]).toEqual([
    302,
    expect.stringMatching(/^https:\/\/sso\.example\.test\//)
  ])
  expect(reply.headers.getSetCookie()).toHaveLength(1)
})

test("the hosted login documentation names an app's host as the server", async () => {
  const find = await documented()
  const { servers }: { servers: ReadonlyArray<{ readonly url: string }> } = Object(find("/v1/login", "post"))
  const { at } = await setUp()
  expect(servers[0]?.url.replace("{subdomain}", at.app.string("subdomain"))).toBe(at.origin)
})
