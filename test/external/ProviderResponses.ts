import type { WellKnownProvider } from "#domain/AuthProvider"
import { RawResponse } from "../support/standIns.ts"

/** A user created from a profile, as `/v2` returns it. */
interface Expected {
  readonly id: string
  readonly email: string
  readonly email_verification: string
  readonly first_name: string | null
  readonly last_name: string | null
}

/** A provider's responses as its docs show them, and the user created from them. */
interface Documented {
  /** The token response. An ID token is added for providers that issue one. */
  readonly token: object
  readonly profile: object
  readonly emails?: unknown
  /** The responses for an access token of this client and of another. */
  readonly inspection?: { readonly ours: unknown; readonly foreign: unknown }
  readonly expected: Expected
  /** The requested scopes. */
  readonly scope: string
  /** Whether the profile is in the ID token. */
  readonly isInIdToken?: boolean
}

const CLIENT = "acme"

/** Google for developers, "OpenID Connect" and "Validate access tokens". */
const google: Documented = {
  token: { access_token: "ya29.a0", expires_in: 3599, scope: "openid email profile", token_type: "Bearer" },
  profile: {
    sub: "10769150350006150715113082367",
    name: "Elisa G Beckett",
    given_name: "Elisa",
    family_name: "Beckett",
    picture: "https://lh3.googleusercontent.com/photo.jpg",
    email: "elisa.g.beckett@gmail.example",
    email_verified: true,
    hd: "example.com"
  },
  inspection: {
    ours: {
      azp: CLIENT,
      aud: CLIENT,
      sub: "10769150350006150715113082367",
      email_verified: "true",
      expires_in: "3520"
    },
    foreign: { azp: "other", aud: "other", sub: "10769150350006150715113082367", expires_in: "3520" }
  },
  expected: {
    id: "10769150350006150715113082367",
    email: "elisa.g.beckett@gmail.example",
    email_verification: "verified",
    first_name: "Elisa",
    last_name: "Beckett"
  },
  scope: "openid email profile"
}

/** GitHub Docs, "Get the authenticated user", "List email addresses" and "Check a token". */
const github: Documented = {
  token: {
    access_token: "gho_16C7e42F292c6912E7710c838347Ae178B4a",
    scope: "read:user,user:email",
    token_type: "bearer"
  },
  profile: {
    login: "octocat",
    id: 583231,
    node_id: "MDQ6VXNlcjU4MzIzMQ==",
    type: "User",
    name: "monalisa octocat",
    email: "public@github.example",
    two_factor_authentication: true
  },
  emails: [
    { email: "private@github.example", verified: true, primary: false, visibility: null },
    { email: "Octocat@GitHub.example", verified: true, primary: true, visibility: "public" }
  ],
  inspection: {
    ours: { id: 1, token: "gho_16C7", app: { name: "my github app", client_id: CLIENT }, user: { id: 583231 } },
    foreign: new RawResponse(404, '{"message":"Not Found"}')
  },
  expected: {
    id: "583231",
    email: "octocat@github.example",
    email_verification: "verified",
    first_name: "monalisa",
    last_name: "octocat"
  },
  scope: "read:user user:email"
}

/**
 * Meta for Developers, "Manually build a login flow", "/me" and "/debug_token". They don't state whether an email is
 * verified.
 */
const facebook: Documented = {
  token: { access_token: "EAACEdEose0cBA", token_type: "bearer", expires_in: 5183944 },
  profile: {
    id: "10215241773831025",
    email: "jane@facebook.example",
    first_name: "Jane",
    last_name: "Smith",
    name: "Jane Smith"
  },
  inspection: {
    ours: { data: { app_id: CLIENT, type: "USER", application: "Acme", is_valid: true, user_id: "10215241773831025" } },
    foreign: { data: { app_id: "138483919580948", type: "USER", is_valid: true, user_id: "10215241773831025" } }
  },
  expected: {
    id: "10215241773831025",
    email: "jane@facebook.example",
    email_verification: "none",
    first_name: "Jane",
    last_name: "Smith"
  },
  scope: "public_profile email"
}

/** Microsoft Learn, "Sign In with LinkedIn using OpenID Connect" and "Token introspection". */
const linkedin: Documented = {
  token: { access_token: "AQXdSP_W41", expires_in: 5184000, scope: "email,openid,profile", token_type: "Bearer" },
  profile: {
    sub: "782bbtaQ",
    name: "John Doe",
    given_name: "John",
    family_name: "Doe",
    picture: "https://media.licdn-ei.com/dms/image/",
    locale: "en-US",
    email: "doe@linkedin.example",
    email_verified: true
  },
  inspection: {
    ours: { active: true, client_id: CLIENT, status: "active", scope: "email,openid,profile", auth_type: "3L" },
    foreign: { active: false, status: "revoked" }
  },
  expected: {
    id: "782bbtaQ",
    email: "doe@linkedin.example",
    email_verification: "verified",
    first_name: "John",
    last_name: "Doe"
  },
  scope: "openid profile email"
}

/** Slack developer docs, "openid.connect.token" and "openid.connect.userInfo". */
const slack: Documented = {
  token: { ok: true, access_token: "xoxp-1234", token_type: "Bearer" },
  profile: {
    ok: true,
    sub: "U0R7JM",
    "https://slack.com/user_id": "U0R7JM",
    "https://slack.com/team_id": "T0R7GR",
    email: "krane@slack.example",
    email_verified: true,
    date_email_verified: 1622128723,
    name: "krane",
    given_name: "Bront",
    family_name: "Labradoodle",
    locale: "en-US",
    "https://slack.com/team_name": "kraneflannel"
  },
  expected: {
    id: "U0R7JM",
    email: "krane@slack.example",
    email_verification: "verified",
    first_name: "Bront",
    last_name: "Labradoodle"
  },
  scope: "openid email profile"
}

/** Yahoo Developer Network, "Sign In With Yahoo", with the introspection of its discovery document (RFC 7662). */
const yahoo: Documented = {
  token: { access_token: "Jzxbkqqcvjqik2IMxGFEE1cuaos--", token_type: "bearer", expires_in: 3600 },
  profile: {
    sub: "FSVIDUW3D7FSVIDUW3D72F2F",
    name: "Jane Doe",
    given_name: "Jane",
    family_name: "Doe",
    locale: "en-US",
    email: "janedoe@yahoo.example",
    email_verified: true,
    picture: "https://ct.yimg.com/photo.jpg"
  },
  inspection: {
    ours: { active: true, client_id: CLIENT, sub: "FSVIDUW3D7FSVIDUW3D72F2F" },
    foreign: { active: true, client_id: "other", sub: "FSVIDUW3D7FSVIDUW3D72F2F" }
  },
  expected: {
    id: "FSVIDUW3D7FSVIDUW3D72F2F",
    email: "janedoe@yahoo.example",
    email_verification: "verified",
    first_name: "Jane",
    last_name: "Doe"
  },
  scope: "openid email profile"
}

/** Apple Developer Documentation, "TokenResponse" and "Authenticating users with Sign in with Apple". */
const apple: Documented = {
  token: { access_token: "adg61", token_type: "Bearer", expires_in: 3600, refresh_token: "rca7" },
  profile: {
    sub: "001234.5678abcd.0912",
    email: "3x4mple@privaterelay.appleid.example",
    email_verified: "true",
    is_private_email: "true"
  },
  expected: {
    id: "001234.5678abcd.0912",
    email: "3x4mple@privaterelay.appleid.example",
    email_verification: "verified",
    first_name: null,
    last_name: null
  },
  scope: "name email",
  isInIdToken: true
}

/** Microsoft Learn, "ID token claims reference" and "UserInfo endpoint". */
const microsoft: Documented = {
  token: { access_token: "eyJ0eXAi", token_type: "Bearer", expires_in: 3599, scope: "email openid profile" },
  profile: {
    sub: "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ",
    name: "Mikah Ollenburg",
    email: "mikoll@contoso.example",
    oid: "00000000-0000-0000-66f3-3332eca7ea81",
    preferred_username: "mikoll@contoso.example"
  },
  expected: {
    id: "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ",
    email: "mikoll@contoso.example",
    email_verification: "none",
    first_name: "Mikah",
    last_name: "Ollenburg"
  },
  scope: "openid email profile",
  isInIdToken: true
}

/** The documented responses by provider type. */
export const documented: Readonly<Record<WellKnownProvider["providerType"], Documented>> = {
  apple,
  facebook,
  github,
  google,
  linkedin,
  microsoft,
  slack,
  yahoo
}
