import { describe, expect, test } from "vitest"
import { appleCredentials } from "../external/WellKnownProviders.ts"
import { bodyOf } from "../support/imports.ts"
import { csvOf, rowsIn, usersAtCommand } from "./Users.ts"

describe("SEC-262: users import from another system", () => {
  test.each([
    [
      "Cognito's identities",
      "cognito",
      "users.json",
      JSON.stringify({
        Users: [
          {
            Username: "Google_103",
            UserStatus: "EXTERNAL_PROVIDER",
            Attributes: [
              { Name: "email", Value: "ada@example.test" },
              {
                Name: "identities",
                Value:
                  '[{"userId":"103547991597142817347","providerName":"Google","providerType":"Google","issuer":null,"primary":true,"dateCreated":1590000000000},{"userId":"7","providerName":"Corp","providerType":"SAML"}]'
              }
            ]
          }
        ]
      }),
      { Corp: 1 }
    ],
    [
      "the identity columns in Auth0's CSV",
      "auth0",
      "users.csv",
      csvOf([
        {
          user_id: "'google-oauth2|103547991597142817347",
          email: "'ada@example.test",
          "identities[0].provider": "'google-oauth2",
          "identities[0].user_id": "'103547991597142817347",
          "identities[1].provider": "'twitter",
          "identities[1].user_id": "'7"
        }
      ]),
      { twitter: 1 }
    ],
    [
      "the identities in Supabase's API",
      "supabase",
      "users.json",
      JSON.stringify({
        users: [
          {
            id: "u1",
            aud: "authenticated",
            email: "ada@example.test",
            app_metadata: { provider: "google", providers: ["google", "twitch"] },
            user_metadata: {},
            identities: [
              { provider: "google", identity_data: { sub: "103547991597142817347" } },
              { provider: "twitch", identity_data: { sub: "7" } },
              { provider: "email", identity_data: { sub: "u1" } }
            ]
          }
        ]
      }),
      { twitch: 1 }
    ],
    [
      "OmniAuth's provider and uid",
      "devise",
      "users.csv",
      csvOf([
        { id: "1", email: "ada@example.test", provider: "google_oauth2", uid: "103547991597142817347" },
        { id: "2", email: "bob@example.test", provider: "twitter", uid: "7" }
      ]),
      { twitter: 1 }
    ],
    [
      "the social links of early Keycloak releases",
      "keycloak",
      "realm.json",
      JSON.stringify({
        users: [
          {
            id: "u1",
            username: "ada",
            email: "ada@example.test",
            socialLinks: [
              { socialProvider: "google", socialUserId: "103547991597142817347", socialUsername: "ada" },
              { socialProvider: "twitter", socialUserId: "7", socialUsername: "ada" }
            ]
          }
        ]
      }),
      { twitter: 1 }
    ]
  ])("imports %s, and counts users without a matching provider", async (_, preset, name, content, profiles) => {
    const { importing, write, realm } = await usersAtCommand()
    await realm.authProvider({ provider_type: "google" })
    const { code, told } = await importing(write(name, content), ["--preset", preset])
    expect({ code, profiles: told.left_out.profiles }).toEqual({ code: 0, profiles })
    expect((await rowsIn(realm))[0]).toMatchObject({
      email: "ada@example.test",
      credentials: [{ credential_type: "google", provider_user_id: "103547991597142817347" }]
    })
  })

  test("counts Supabase's providers and Keycloak's directories, which contain no user ID", async () => {
    const { importing, write } = await usersAtCommand()
    const table = csvOf([
      {
        id: "u1",
        email: "ada@example.test",
        raw_app_meta_data: '{"provider":"email","providers":["email","google"],"role":"editor"}',
        raw_user_meta_data: "{}"
      }
    ])
    expect((await importing(write("users.csv", table), ["--preset", "supabase"])).told.left_out.profiles).toEqual({
      google: 1
    })
    const export_ = JSON.stringify({
      users: [{ id: "u2", username: "b", email: "b@example.test", federationLink: "l1" }]
    })
    expect((await importing(write("realm.json", export_), ["--preset", "keycloak"])).told.left_out.profiles).toEqual({
      "directory l1": 1
    })
  })
})

describe("SEC-262: users import --preset imports profiles at Apple and Microsoft", () => {
  const [apple, subject] = [
    "001234.0a1b2c3d4e5f60718293a4b5c6d7e8f9.1234",
    "AAAAAAAAAAAAAAAAAAAAAJ8PFm0pjpXKQouYRalE11g"
  ]
  const objectId = "6f1d0a5e-7c1b-4f3e-9d43-0f2f5f3a9b11"
  const email = "ada@example.test"

  test.each([
    [
      "auth0",
      "waad",
      (id: string) => ({
        user_id: `apple|${apple}`,
        email,
        identities: [
          { provider: "apple", user_id: apple },
          { provider: "waad", user_id: id }
        ]
      })
    ],
    [
      "firebase",
      "microsoft.com",
      (id: string) => ({
        localId: "u1",
        email,
        providerUserInfo: [
          { providerId: "apple.com", rawId: apple },
          { providerId: "microsoft.com", rawId: id }
        ]
      })
    ],
    [
      "supabase",
      "azure",
      (id: string) => ({
        id: "u1",
        aud: "authenticated",
        email,
        user_metadata: {},
        identities: [
          { provider: "apple", identity_data: { sub: apple } },
          { provider: "azure", identity_data: { sub: id } }
        ]
      })
    ],
    [
      "keycloak",
      "microsoft",
      (id: string) => ({
        id: "u1",
        username: "ada",
        email,
        federatedIdentities: [
          { identityProvider: "apple", userId: apple },
          { identityProvider: "microsoft", userId: id }
        ]
      })
    ]
  ])("from %s, except Microsoft's object IDs, which logins don't use", async (preset, name, userOf) => {
    const { importing, write, realm } = await usersAtCommand()
    await realm.authProvider({ provider_type: "apple", ...appleCredentials })
    await realm.authProvider({ provider_type: "microsoft" })
    const run = async (id: string) => {
      const user = userOf(id)
      const content = JSON.stringify(preset === "auth0" ? [user] : { users: [user] })
      const { code, told } = await importing(write("users.json", content), ["--preset", preset])
      return { code, profiles: told.left_out.profiles, credentials: (await rowsIn(realm))[0]?.credentials }
    }
    const atApple = expect.objectContaining({ credential_type: "apple", provider_user_id: apple })
    expect(await run(objectId)).toEqual({ code: 0, profiles: { [name]: 1 }, credentials: [atApple] })
    expect(await run(subject)).toEqual({
      code: 0,
      profiles: {},
      credentials: expect.arrayContaining([
        atApple,
        expect.objectContaining({ credential_type: "microsoft", provider_user_id: subject })
      ])
    })
  })

  test("from Cognito and OmniAuth, where Apple's names differ", async () => {
    const { importing, write, realm } = await usersAtCommand()
    await realm.authProvider({ provider_type: "apple", ...appleCredentials })
    const identities = JSON.stringify([
      { userId: apple, providerName: "SignInWithApple", providerType: "SignInWithApple" }
    ])
    const pool = {
      Users: [
        {
          Username: "a",
          Attributes: [
            { Name: "email", Value: email },
            { Name: "identities", Value: identities }
          ]
        }
      ]
    }
    expect(await importing(write("users.json", JSON.stringify(pool)), ["--preset", "cognito"])).toMatchObject({
      code: 0
    })
    const table = csvOf([{ id: "2", email: "bob@example.test", provider: "apple", uid: "001.b" }])
    expect(await importing(write("users.csv", table), ["--preset", "devise"])).toMatchObject({ code: 0 })
    expect((await rowsIn(realm)).map(({ credentials }) => credentials)).toEqual([
      [expect.objectContaining({ credential_type: "apple", provider_user_id: apple })],
      [expect.objectContaining({ credential_type: "apple", provider_user_id: "001.b" })]
    ])
  })
})

describe("users import --preset auth0", () => {
  const names = async (name: string, content: string) => {
    const { importing, write, realm } = await usersAtCommand()
    expect(await importing(write(name, content), ["--preset", "auth0"])).toMatchObject({ code: 0 })
    return (await rowsIn(realm)).map(({ last_name: last, first_name: first }) => [first, last])
  }
  const user = { user_id: "auth0|1", email: "ada@example.test", given_name: "'t Joseph", family_name: "'t Hooft" }

  test("preserves a leading apostrophe in a JSON name", async () => {
    expect(await names("users.ndjson", bodyOf([user]))).toEqual([["'t Joseph", "'t Hooft"]])
    expect(await names("users.json", JSON.stringify([user]))).toEqual([["'t Joseph", "'t Hooft"]])
  })

  test("removes an apostrophe from every CSV text if the IDs start with an apostrophe, otherwise only from formulas", async () => {
    const guarded = Object.fromEntries(Object.entries(user).map(([name, value]) => [name, `'${value}`]))
    expect(await names("users.csv", csvOf([guarded]))).toEqual([["'t Joseph", "'t Hooft"]])
    expect(await names("users.csv", csvOf([{ ...user, given_name: "'=1+1" }]))).toEqual([["=1+1", "'t Hooft"]])
  })
})
