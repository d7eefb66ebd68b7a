import { type Brand, Schema } from "effect"

/** The id prefix of each kind of resource (`v2.prefix`). `request` identifies a single call. */
export const prefixes = {
  realm: "rl_",
  user: "usr_",
  session: "kss_",
  org: "org_",
  membership: "mb_",
  invitation: "nvt_",
  credential: "crd_",
  authProvider: "ap_",
  jwtKey: "jky_",
  hook: "hk_",
  app: "lpl_",
  signupToken: "utk_",
  event: "ev_",
  notification: "ent_",
  mail: "ml_",
  apiKey: "key_",
  grant: "gr_",
  consent: "cns_",
  orgDomain: "dom_",
  request: "req_"
} as const

/** A kind of id. */
export type Kind = keyof typeof prefixes

/** The branded id of a kind: `Id<"user">` is `UserId`. */
export type Id<K extends Kind> = string & Brand.Brand<`${Capitalize<K>}Id`>

// The schemas accept any text, because a malformed id in a path counts as not found, which is decided by the lookup.
export const RealmId = Schema.String.pipe(Schema.brand("RealmId"))
export type RealmId = Id<"realm">
export const UserId = Schema.String.pipe(Schema.brand("UserId"))
export type UserId = Id<"user">
export const SessionId = Schema.String.pipe(Schema.brand("SessionId"))
export type SessionId = Id<"session">
export const OrgId = Schema.String.pipe(Schema.brand("OrgId"))
export type OrgId = Id<"org">
export const MembershipId = Schema.String.pipe(Schema.brand("MembershipId"))
export type MembershipId = Id<"membership">
export const InvitationId = Schema.String.pipe(Schema.brand("InvitationId"))
export type InvitationId = Id<"invitation">
export const CredentialId = Schema.String.pipe(Schema.brand("CredentialId"))
export type CredentialId = Id<"credential">
export const AuthProviderId = Schema.String.pipe(Schema.brand("AuthProviderId"))
export type AuthProviderId = Id<"authProvider">
export const JwtKeyId = Schema.String.pipe(Schema.brand("JwtKeyId"))
export type JwtKeyId = Id<"jwtKey">
export const HookId = Schema.String.pipe(Schema.brand("HookId"))
export type HookId = Id<"hook">
export const AppId = Schema.String.pipe(Schema.brand("AppId"))
export type AppId = Id<"app">
export const SignupTokenId = Schema.String.pipe(Schema.brand("SignupTokenId"))
export type SignupTokenId = Id<"signupToken">
export const EventId = Schema.String.pipe(Schema.brand("EventId"))
export type EventId = Id<"event">
export const NotificationId = Schema.String.pipe(Schema.brand("NotificationId"))
export type NotificationId = Id<"notification">
export const MailId = Schema.String.pipe(Schema.brand("MailId"))
export type MailId = Id<"mail">
export const ApiKeyId = Schema.String.pipe(Schema.brand("ApiKeyId"))
export type ApiKeyId = Id<"apiKey">
export const GrantId = Schema.String.pipe(Schema.brand("GrantId"))
export type GrantId = Id<"grant">
export const ConsentId = Schema.String.pipe(Schema.brand("ConsentId"))
export type ConsentId = Id<"consent">
export const OrgDomainId = Schema.String.pipe(Schema.brand("OrgDomainId"))
export type OrgDomainId = Id<"orgDomain">
export const RequestId = Schema.String.pipe(Schema.brand("RequestId"))
export type RequestId = Id<"request">

/** What follows the prefix in an id that this service generates, as the source of a regular expression. */
export const GENERATED_FORM = "[0-7][0-9a-hjkmnp-tv-z]{25}"

const generatedForm = new RegExp(`^${GENERATED_FORM}$`)

/** What follows the prefix in an id kept from another service. With the prefix it fits into a WebAuthn user handle (64 bytes). */
const keptForm = /^[0-9A-Za-z-]{1,60}$/

/** The kinds of ids that an import can keep (C285). */
const keptKinds: ReadonlySet<Kind> = new Set<Kind>(["user", "org"])

const isKind = (name: string): name is Kind => Object.hasOwn(prefixes, name)

const kindOfPrefix: ReadonlyMap<string, Kind> = new Map(
  Object.entries(prefixes).flatMap(([kind, prefix]) => (isKind(kind) ? [[prefix, kind]] : []))
)

const hasForm = (kind: Kind, form: RegExp, text: string): boolean => {
  const prefix = prefixes[kind]
  return text.startsWith(prefix) && form.test(text.slice(prefix.length))
}

/** Returns whether a string has the form of an id that this service generates: the prefix and 26 base32 characters (SEC-42). */
export const isGeneratedId = <K extends Kind>(kind: K, text: string): text is Id<K> =>
  hasForm(kind, generatedForm, text)

/** Returns whether a string has the form of an id of this kind, generated or kept from another service. */
export const isId = <K extends Kind>(kind: K, text: string): text is Id<K> =>
  isGeneratedId(kind, text) || (keptKinds.has(kind) && hasForm(kind, keptForm, text))

/** The kind of an id, or undefined if the string is not an id. */
export const kindOf = (text: string): Kind | undefined => {
  const kind = kindOfPrefix.get(text.slice(0, text.indexOf("_") + 1))
  return kind !== undefined && isId(kind, text) ? kind : undefined
}

/** The 128 bits of an id: 48 bits of Unix time in milliseconds and 80 random bits, split into two halves of 40. */
export interface IdBits {
  readonly millis: number
  readonly random: readonly [high: number, low: number]
}

const twoTo20 = 2 ** 20
const twoTo40 = 2 ** 40
const lastMillis = 2 ** 48 - 1

const halves = (bytes: Uint8Array): IdBits["random"] => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 10)
  return [view.getUint32(0) * 256 + view.getUint8(4), view.getUint32(5) * 256 + view.getUint8(9)]
}

const increment = ({ millis, random: [high, low] }: IdBits): IdBits => {
  if (low + 1 < twoTo40) return { millis, random: [high, low + 1] }
  if (high + 1 < twoTo40) return { millis, random: [high + 1, 0] }
  return { millis: millis + 1, random: [0, 0] }
}

/**
 * The bits of the next id: random in a new millisecond, otherwise the previous ones plus one. A node's ids always increase,
 * even if its clock stops or goes backwards (C11). Needs 10 random bytes.
 */
export const nextBits = (previous: IdBits | undefined, nowMillis: number, random10bytes: Uint8Array): IdBits =>
  previous === undefined || nowMillis > previous.millis
    ? { millis: nowMillis, random: halves(random10bytes) }
    : increment(previous)

const alphabet = Array.from("0123456789abcdefghjkmnpqrstvwxyz")
const pairs = alphabet.flatMap((first) => alphabet.map((second) => first + second))

const pair = (bits10: number): string => pairs[bits10] ?? "?"
const quad = (bits20: number): string => pair(bits20 >>> 10) + pair(bits20 & 1023)
const octet = (bits40: number): string => quad(Math.floor(bits40 / twoTo20)) + quad(bits40 % twoTo20)

/** Returns whether a time fits into the 48 bits that an id has for it. */
const isIdOf = <K extends Kind>(_kind: K, millis: number, _text: string): _text is Id<K> =>
  millis >= 0 && millis <= lastMillis

/** Encodes an id. Sorting the strings gives the same order as sorting the bits. Throws for times before 1970 or after 10889. */
export const encodeId = <K extends Kind>(kind: K, { millis, random: [high, low] }: IdBits): Id<K> => {
  const text = prefixes[kind] + pair(Math.floor(millis / twoTo40)) + octet(millis % twoTo40) + octet(high) + octet(low)
  if (isIdOf(kind, millis, text)) return text
  throw new RangeError(`No id of kind ${kind} can be made at ${millis} ms`)
}

/** The smallest possible id of a resource created at this Unix time, in milliseconds. Times out of range are clamped. */
export const earliestId = <K extends Kind>(kind: K, millis: number): Id<K> =>
  encodeId(kind, { millis: Math.min(Math.max(Math.round(millis), 0), lastMillis), random: [0, 0] })

/** The Unix time encoded in a generated id, in milliseconds. */
export const millisOf = (id: string): number => {
  const at = id.lastIndexOf("_") + 1
  return Array.from(id.slice(at, at + 10)).reduce((sum, digit) => sum * 32 + alphabet.indexOf(digit), 0)
}

/** The owner of rows that span all realms: the account as a whole. It is not a realm, and lookups never find it (C37). */
export const ACCOUNT: RealmId = encodeId("realm", { millis: 0, random: [0, 0] })

/** The system realm, whose users are the operators of the service. No request finds it by its ID (C302). */
export const SYSTEM: RealmId = encodeId("realm", { millis: 0, random: [0, 1] })

/** The app of the system realm, whose pages log in operators. */
export const CONSOLE_APP: AppId = encodeId("app", { millis: 0, random: [0, 1] })
