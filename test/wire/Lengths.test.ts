import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { operationNamed, pathOf } from "../support/operations.ts"
import { bodyOf } from "../support/resources.ts"
import { wireService } from "../support/sallyport.ts"

const realmOf = async () => (await wireService()).given.realm()

/** Prepares an operation. Returns the call that creates its resource with the given attributes. */
const creation = async (realm: GivenRealm, name: string, attributes: Readonly<Record<string, unknown>>) => {
  const operation = operationNamed(name)
  if (operation === undefined) throw new Error(`There is no operation ${name}`)
  const sample = Object(await bodyOf(operation, realm))[operation.wrapper ?? ""]
  return () => realm.post(operation.template, { [operation.wrapper ?? ""]: { ...sample, ...attributes } })
}

const create = async (realm: GivenRealm, name: string, attributes: Readonly<Record<string, unknown>>) =>
  (await creation(realm, name, attributes))()

/** The maximum lengths of C10a, in characters. */
const lengths = [
  ["v1.realms create", "name", 255],
  ["v2.realms create", "name", 255],
  ["v2.realms create", "reference", 255],
  ["v2.realms create", "api_key_prefix", 255],
  ["v2.users create", "first_name", 255],
  ["v2.users create", "last_name", 255],
  ["v2.users create", "username", 255],
  ["v2.users create", "reference", 255],
  ["v2.users create", "locale", 255],
  ["v1.users create", "first_name", 255],
  ["v1.users create", "last_name", 255],
  ["v1.users create", "username", 255],
  ["v1.users create", "reference", 255],
  ["v1.user_tokens create", "username", 255],
  ["v1.user_tokens create", "first_name", 255],
  ["v1.user_tokens create", "last_name", 255],
  ["v2.orgs create", "name", 255],
  ["v2.orgs create", "reference", 255],
  ["v1.credentials create", "name", 255],
  ["v2.credentials create", "name", 255],
  ["v1.login_policies create", "name", 255],
  ["v2.client_apps create", "name", 255],
  ["v2.api_keys create", "name", 255]
] as const

describe.each(lengths)("%s limits %s to %i characters", (name, member, most) => {
  // An emoji is one character, but two UTF-16 units and four UTF-8 bytes.
  test.each(["a", "é", "語", "😀"])("counting %s as one", async (character) => {
    const realm = await realmOf()
    const maxLengthValue = character.repeat(most)
    const created = await create(realm, name, { [member]: maxLengthValue })
    expect([created.status, created.member(member)]).toEqual([201, maxLengthValue])
    const tooLong = { [member]: `${maxLengthValue}a` }
    const { result, events } = await realm.seen.during(await creation(realm, name, tooLong))
    const update = operationNamed(name.replace("create", "update"))
    if (update?.wrapper !== undefined) {
      const path = pathOf(update, () => created.id)
      expect((await realm.put(path, { [update.wrapper]: tooLong })).status).toBe(422)
      expect((await realm.get(path)).member(member)).toBe(maxLengthValue)
    }
    expect([result.status, result.member("error_details", 0, "code"), events]).toEqual([422, "too_long", []])
    expect(result.member("error_details", 0, "field")).toBe(member)
    expect(result.string("errors", 0)).toMatch(new RegExp(` is too long \\(maximum is ${most} characters\\)\\.$`))
  })
})

test.each(["email", "email_pending"])("v2.users create limits %s to 254 characters", async (member) => {
  const realm = await realmOf()
  const emailOfLength = (length: number) => `${"a".repeat(64)}@${"b".repeat(length - 65 - 5)}.test`
  const created = await create(realm, "v2.users create", { [member]: emailOfLength(254) })
  expect([created.status, created.member(member)]).toEqual([201, emailOfLength(254)])
  const rejected = await create(realm, "v2.users create", { [member]: emailOfLength(255) })
  expect([rejected.status, rejected.member("error_details", 0, "field")]).toEqual([422, member])
})

test("app titles are limited to 255 characters and URLs to 2,048", async () => {
  const realm = await realmOf()
  const link = (title: number, url: number) => ({
    resource_links: [{ resource: "org", title: "t".repeat(title), url: `https://a.test/${"u".repeat(url - 15)}` }]
  })
  const created = await create(realm, "v2.realms create", link(255, 2_048))
  expect([created.status, created.member("resource_links")]).toEqual([201, link(255, 2_048).resource_links])
  for (const [title, url, field] of [
    [256, 2_048, "title"],
    [255, 2_049, "url"]
  ] as const) {
    const reply = await create(realm, "v2.realms create", link(title, url))
    expect([reply.status, reply.member("error_details", 0)]).toMatchObject([422, { field, code: "too_long" }])
  }
})

test.each(["v2.realms create", "v2.users create", "v2.orgs create"])("%s limits custom to 16 KiB", async (name) => {
  const realm = await realmOf()
  const customOfSize = (bytes: number) => ({ a: "é", b: "x".repeat(bytes - '{"a":"é","b":""}'.length - 1) })
  const created = await create(realm, name, { custom: customOfSize(16 * 1024) })
  expect([created.status, created.member("custom")]).toEqual([201, customOfSize(16 * 1024)])
  const reply = await create(realm, name, { custom: customOfSize(16 * 1024 + 1) })
  expect([reply.status, reply.member("error_details", 0)]).toMatchObject([
    422,
    { field: "custom", code: "custom_too_large" }
  ])
})

test("a filter has the same length limit as the filtered member", async () => {
  const realm = await realmOf()
  for (const [parameter, status] of [
    ["reference", 422],
    ["username", 422],
    ["realm_id", 400],
    ["after", 404]
  ] as const) {
    const reply = await realm.get(`/v2/users?${parameter}=${"x".repeat(256)}`)
    expect([parameter, reply.status]).toEqual([parameter, status])
  }
})
