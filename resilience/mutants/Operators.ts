import type { Operator } from "./Operator.ts"
import { isBalanced, numbers, swap, withoutCall } from "./Rules.ts"
import { afterBracket, type Ring, rings } from "./Source.ts"
import { sqlOperators } from "./SqlOperators.ts"

const surfaces: ReadonlyArray<Ring> = ["api", "http", "hosted", "oauth"]

/** The rings whose numbers callers can observe. Numbers in background jobs and databases only affect speed. */
const withLimits = rings.filter((ring) => ring !== "actors" && ring !== "sql")

/** For each status, another status that it could be confused with. */
const statuses: Readonly<Record<number, number>> = {
  200: 201,
  201: 200,
  202: 200,
  204: 200,
  302: 303,
  303: 302,
  304: 200,
  400: 422,
  401: 404,
  403: 401,
  404: 401,
  405: 404,
  409: 422,
  410: 404,
  413: 400,
  415: 400,
  422: 400,
  429: 503,
  500: 503,
  503: 500
}

/** For each level, the level below. For the lowest level, the level above. */
const otherLevel: Readonly<Record<string, string>> = {
  read: "write",
  write: "read",
  admin_realm: "write",
  admin_all_realms: "admin_realm"
}

/**
 * Names of constants that affect speed, memory or logging but nothing that a caller sees: concurrency, sizes of queues
 * and caches, intervals and estimated costs.
 */
const tuning =
  /AGE|ALLOWANCE|AT_ONCE|BATCH|BACKOFF|BLOCK$|CACHE|CAPACITY|CHUNK|CONCURRENCY|CONNECTIONS|COOLDOWN|FAIR|HEARTBEAT|IDLE|INITIAL|INTERVAL|LIMIT_PER|LOGGED|LOOK_UPS|NICENESS|PASSES|PEERS|PER_|PERIOD|POOL|QUEUE|REQUEUES|ROUND$|SEARCH|SHARE|SLOW|SUBJECTS|WAITING|WORKERS/

/** Names of constants that are durations. A change by one unit would be too small to be noticed. */
const durations = /DAYS|HOURS|MILLIS|MINUTES|SECONDS|NANOS|TIMEOUT/

/** Flags that only affect speed. */
const speed = /\b(?:disableCodecs|discard|incremental): $/

/** All operators. */
export const operators: ReadonlyArray<Operator> = [
  {
    name: "equality",
    description: "=== swapped with !==",
    rings,
    rules: [swap([["===", "!=="]], (any) => `(?<= )${any}(?= )`)]
  },
  {
    name: "comparison",
    description: "< swapped with <=, > with >=, and the same for times",
    rings,
    rules: [
      swap(
        [
          ["<", "<="],
          [">", ">="]
        ],
        // Tests can't meet an exact bound of real time.
        (any) => `(?<=[\\w)\\]] )(?<!performance\\.now\\(\\) - \\w+ )${any}(?= [\\w(-])`
      ),
      swap(
        [
          ["isGreaterThan", "isGreaterThanOrEqualTo"],
          ["isLessThan", "isLessThanOrEqualTo"]
        ],
        (any) => `(?<=\\b(?:DateTime|Duration)\\.)${any}(?=\\()`
      )
    ]
  },
  {
    name: "connective",
    description: "&& swapped with ||, some with every",
    rings,
    rules: [
      swap([["&&", "||"]], (any) => `(?<= )${any}(?= )`),
      swap([["some", "every"]], (any) => `(?<=\\.)${any}(?=\\()`)
    ]
  },
  {
    name: "condition",
    description: "an if condition negated, or a negation removed",
    rings,
    rules: [
      {
        within: "code",
        pattern: /(?<=\bif )\(/g,
        change: ({ index }, source) => {
          const end = afterBracket(source, index)
          return end === undefined
            ? undefined
            : { start: index, end, replacement: `(!${source.text.slice(index, end)})` }
        }
      },
      { within: "code", pattern: /(?<=[\s(])!(?=[\w(])/g, change: () => "" }
    ]
  },
  {
    name: "arithmetic",
    description: "plus swapped with minus, floor with ceil, min with max",
    rings,
    rules: [
      swap([["+", "-"]], (any) => `(?<=[\\w)] )${any}(?= [\\w(])`),
      swap(
        [
          ["min", "max"],
          ["floor", "ceil"]
        ],
        (any) => `(?<=\\b(?:Math|DateTime|Duration)\\.)${any}(?=\\()`
      )
    ]
  },
  {
    name: "guard",
    description: "a guard removed",
    rings,
    rules: [
      {
        within: "code",
        // Checks for impossible states end in a defect either way.
        pattern: /(?<=^ +)if \(.+\) (?:return yield\* (?!Effect\.die\()|throw ).+$/gm,
        change: ([statement]) => (isBalanced(statement) ? "" : undefined)
      },
      // Pure checks return the problem.
      {
        within: "code",
        pattern: /(?<=^ +)if \(.+\) (?:return (?:"|problem|\[problem)).*$/gm,
        change: ([statement], { ring }) => (ring === "domain" && isBalanced(statement) ? "" : undefined)
      },
      withoutCall(
        /(?<=^ +)yield\* (?:\w+\.)*(?:require|check|ensure|verify|consume|take|lock)\w*\(/gm,
        "yield* Effect.void"
      )
    ]
  },
  {
    name: "event",
    description: "an event not recorded",
    rings,
    rules: [
      withoutCall(/\bjournal\.record(?:In)?\(/g, "Effect.void"),
      // An event in a list of several. The rule above covers single events.
      { within: "code", pattern: /(?<=\[\s*|, ?)\{ eventType: [^{}]*\},? ?(?!\s*\]\))/g, change: () => "" },
      { within: "code", pattern: /(?<=\[)\.\.\.\w*[eE]vents, |, \.\.\.\w*[eE]vents(?=\])/g, change: () => "" }
    ]
  },
  {
    name: "level",
    description: "the required level of an operation lowered; read raised to write",
    rings: ["api", "http"],
    caughtBy: /^test\/access\/\w+Matrix/,
    rules: [
      {
        within: "strings",
        pattern: /(?<=RequiredLevel, ")\w+(?=")/g,
        change: ([level]) => otherLevel[level]
      }
    ]
  },
  {
    name: "status",
    description: "a different status",
    rings: surfaces,
    caughtBy: /^test\/(?:wire|hosted)\//,
    rules: [
      numbers(/(?<=^(?!.*slice).*[\s(])[2-5]\d\d(?=[,;)\s])(?! [|*])/gm, (status) => statuses[status]),
      {
        within: "code",
        pattern: /(?<==> )(?:notFound|unauthorized|badRequest)(?=\()/g,
        change: ([name], { code }) =>
          ["badRequest", "unauthorized", "notFound"].find((other) => other !== name && code.includes(`${other}(`))
      }
    ]
  },
  {
    name: "header",
    description: "a header removed",
    rings: ["http", "hosted", "oauth", "server", "core", "platform"],
    caughtBy: /^test\/(?:wire|hosted)\//,
    rules: [
      { within: "strings", pattern: /(?<=")[a-z]+(?:-[a-z]+)+(?=": )/g, change: ([name]) => `x-not-${name}` },
      {
        within: "code",
        pattern: /(?<=headers: \{ |^ +)(?:vary|allow|location|ratelimit)(?=: )/gm,
        change: ([name]) => `x${name}`
      },
      { within: "strings", pattern: /(?<=setHeader\((?:\w+, )?")[\w-]+(?=")/g, change: ([name]) => `x-not-${name}` }
    ]
  },
  {
    name: "limit",
    description: "a limit raised by one, or a duration multiplied by ten",
    rings: withLimits,
    rules: [
      numbers(/(?<=\bconst ([A-Z][A-Z_]+) = )\d[\d_]*\b/g, (number, [, name = ""]) =>
        tuning.test(name) ? undefined : durations.test(name) ? number * 10 : number + 1
      ),
      numbers(/(?<=\bDuration\.(?:millis|seconds|minutes|hours|days)\()\d[\d_]*(?=\))/g, (number) => number * 10),
      numbers(/(?<=\b(?:most|least|max|min): )\d[\d_]*\b/g, (number) => number + 1)
    ]
  },
  {
    name: "default",
    description: "a different default",
    rings,
    rules: [
      {
        within: "code",
        pattern: /(?<=\?\? |[(,{] ?\w+(?:: \w+)? = )(?:true|false)\b/g,
        change: ([value]) => String(value === "false")
      },
      numbers(/(?<=\?\? |[(,{] ?\w+(?:: \w+)? = )[1-9][\d_]*\b/g, (number) => number + 1),
      { within: "strings", pattern: /(?<=\?\? ")[\w.:/-]+(?=")/g, change: ([value]) => `${value}-other` }
    ]
  },
  {
    name: "flag",
    description: "true swapped with false",
    rings,
    rules: [
      {
        within: "code",
        pattern: /(?<=(?<!readonly )\b\w+: |(?<!annotate\(\w+), )(?:true|false)(?=[,)\n]| \})/g,
        change: ({ index, 0: found }, { code }) =>
          speed.test(code.slice(0, index)) ? undefined : String(found === "false")
      }
    ]
  },
  {
    name: "annotation",
    description: "an annotation of an endpoint removed",
    rings: ["api"],
    caughtBy: /^test\/(?:wire|access)\//,
    rules: [withoutCall(/\.annotate(?:Endpoints)?\((?=(?!RequiredLevel)[A-Z]\w+, )/g, "")]
  },
  {
    name: "transaction",
    description: "a transaction removed",
    rings: ["core", "actors"],
    caughtBy: /^test\/wire\/Atomic/,
    rules: [{ within: "code", pattern: /\btransaction\.run(?=\()/g, change: () => "" }]
  },
  ...sqlOperators
]
