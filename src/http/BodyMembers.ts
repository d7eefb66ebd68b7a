import type { HttpApiEndpoint } from "effect/http-api"
import { type Shape, ShapeCheck, type UnknownMember } from "#api/BodyShape"
import { longListProblems } from "#api/Decoding"
import { bodyShapesOf } from "#api/EndpointMembers"
import { isObject } from "#domain/JsonObject"
import { nearestName } from "#domain/NearestName"
import { type Problem, problem } from "#domain/Rejected"

type Members = Readonly<Record<string, unknown>>
type Path = UnknownMember["path"]

/** The maximum length of a reported name, in characters. */
const MAX_NAME_LENGTH = 64

/** A body member that the endpoint does not read at this position. */
interface UnreadMember {
  /** Its path, as in `user.nmae`. */
  readonly path: string
  /** The problem reported if it is rejected. */
  readonly problem: Problem
  /**
   * `misplaced`: the member belongs elsewhere in the body (C68). `readOnly`: responses contain the member, so the caller may
   * be sending back a response (C8). `unknown`: all other members.
   */
  readonly kind: "misplaced" | "readOnly" | "unknown"
}

/** The problems found in a body before it is decoded. */
export interface BodyFindings {
  /** The lists that are longer than their schemas allow. */
  readonly long: ReadonlyArray<Problem>
  readonly unread: ReadonlyArray<UnreadMember>
}

export const noFindings: BodyFindings = { long: [], unread: [] }

/** Compares request bodies with an endpoint's schema. */
export interface BodyMembers {
  read(body: Members): BodyFindings
  /**
   * Returns the problems that make the endpoint reject the request. `isStrict` is set if the caller wants no member to be
   * ignored.
   */
  refusalOf(findings: BodyFindings, isStrict: boolean): ReadonlyArray<Problem>
}

const noMembers: ReadonlyMap<string, Shape> = new Map()

/** The shape of a wrapper sent to an endpoint that takes none. Client libraries name a realm in it (C4). */
const ignoredWrapper: Shape = { members: noMembers, allowsOthers: false, list: undefined }

/** Returns the shape at a path in the resource's response, or undefined if the response has no such member. */
const shapeAt = (shown: Shape | undefined, path: Path): Shape | undefined =>
  path.reduce<Shape | undefined>(
    (shape, step) => (typeof step === "number" ? shape?.list?.element : shape?.members?.get(step)),
    shown
  )

interface Naming {
  readonly wrapper: string | undefined
  /** The name of the endpoint's resource. */
  readonly resource: string
  readonly isContractNoun: boolean
}

/**
 * Builds the checks for members that an endpoint does not read (C68, C251), once per endpoint. `realm_id` can be next to the
 * wrapper or inside it (C4).
 */
export const bodyMembers = (
  endpoint: HttpApiEndpoint.Top,
  { wrapper, resource, isContractNoun }: Naming
): BodyMembers => {
  const { body, response: shown } = bodyShapesOf(endpoint)
  const top = body.members ?? noMembers
  const root = { ...body, members: top }
  const outer = wrapper ?? resource
  const wrapped = (wrapper === undefined ? undefined : top.get(wrapper)?.members) ?? noMembers
  const isInWrapper = (path: Path) => path.length === 1 && path[0] === outer

  const misplaced = (member: string, path: Path): Problem | undefined => {
    if (path.length > 0 && member !== outer && top.has(member)) {
      return problem(member, "belongs_outside", {
        member,
        wrapper: path.findLast((step) => typeof step === "string") ?? outer
      })
    }
    return wrapper !== undefined && !isInWrapper(path) && wrapped.has(member)
      ? problem(member, "belongs_inside", { member, wrapper })
      : undefined
  }

  const unreadMember = ({ path, name, known }: UnknownMember): UnreadMember => {
    const member = name.slice(0, MAX_NAME_LENGTH).toWellFormed()
    const where = [...path, member].join(".")
    const elsewhere = misplaced(name, path)
    if (elsewhere !== undefined) return { path: where, problem: elsewhere, kind: "misplaced" }
    const nearest = nearestName(name, known.keys())
    const params = { member, ...(nearest === undefined ? {} : { nearest }), known: [...known.keys()].join(", ") }
    const isReadOnly = shapeAt(shown, path[0] === wrapper ? path.slice(1) : path)?.members?.has(name) === true
    return {
      path: where,
      problem: problem(member, "unknown_member", params),
      kind: isReadOnly ? "readOnly" : "unknown"
    }
  }

  const isV2 = endpoint.path.startsWith("/v2/")
  const isRefused = ({ kind }: UnreadMember, isStrict: boolean): boolean =>
    kind !== "readOnly" && (isStrict || !isContractNoun || (kind === "misplaced" && isV2))

  return {
    read: (sent) => {
      const found = new ShapeCheck()
      found.check(sent, root)
      const ignored = wrapper === undefined && !top.has(resource) ? sent[resource] : undefined
      if (isObject(ignored)) found.within(resource, ignored, ignoredWrapper)
      const long = longListProblems(found, "body")
      if (long.length === 0 && found.unknown.length === 0) return noFindings
      const isExpected = ({ path, name }: UnknownMember) =>
        (name === "realm_id" && (path.length === 0 || isInWrapper(path))) ||
        (path.length === 0 && name === resource && isObject(ignored))
      return {
        long,
        unread: found.unknown.flatMap((one) => (isExpected(one) ? [] : [unreadMember(one)]))
      }
    },
    refusalOf: ({ long, unread }, isStrict) =>
      long.length > 0 ? long : unread.flatMap((one) => (isRefused(one, isStrict) ? [one.problem] : []))
  }
}

/** Returns the problems of members that belong inside a missing wrapper. */
export const misplacedProblems = ({ unread }: BodyFindings): ReadonlyArray<Problem> =>
  unread.flatMap(({ problem: found }) => (found.code === "belongs_inside" ? [found] : []))
