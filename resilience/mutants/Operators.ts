import type { Operator } from "./Operator.ts"
import { isBalanced, numbers, swap, withoutCall } from "./Rules.ts"
import { afterBracket, type Ring, rings } from "./Source.ts"
import { sqlOperators } from "./SqlOperators.ts"

const surfaces: ReadonlyArray<Ring> = ["api", "http", "hosted"]

/** The rings that decide and answer. The jobs and the databases beneath them have numbers for their own pace only. */
const withLimits = rings.filter((ring) => ring !== "actors" && ring !== "sql")

/** The statuses that are mistaken for one another. */
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

/** The level below, and for the lowest level the one above. */
const otherLevel: Readonly<Record<string, string>> = {
  read: "write",
  write: "read",
  admin_realm: "write",
  admin_all_realms: "admin_realm"
}

/**
 * Constants that decide how fast something is, how much memory it takes or how much is logged, not what a caller sees: how many
 * things run, wait or are kept at once, how often something is looked for, and how costly something is estimated to be.
 */
const tuning =
  /AGE|ALLOWANCE|AT_ONCE|BATCH|BACKOFF|BLOCK$|CACHE|CAPACITY|CHUNK|CONCURRENCY|CONNECTIONS|COOLDOWN|FAIR|HEARTBEAT|IDLE|INITIAL|INTERVAL|LIMIT_PER|LOGGED|LOOK_UPS|NICENESS|PASSES|PEERS|PER_|PERIOD|POOL|QUEUE|REQUEUES|ROUND$|SEARCH|SHARE|SLOW|SUBJECTS|WAITING|WORKERS/

/** Constants that are durations. One unit more would hardly be a difference. */
const durations = /DAYS|HOURS|MILLIS|MINUTES|SECONDS|NANOS|TIMEOUT/

/** Flags for speed: the result is the same either way. */
const speed = /\b(?:disableCodecs|discard|incremental): $/

/** Every way in which the code is made wrong. */
export const operators: ReadonlyArray<Operator> = [
  {
    name: "equality",
    description: "=== turned into !==, and the other way round",
    rings,
    rules: [swap([["===", "!=="]], (any) => `(?<= )${any}(?= )`)]
  },
  {
    name: "comparison",
    description: "a bound included or excluded: < and <=, > and >=, and the same for times",
    rings,
    rules: [
      swap(
        [
          ["<", "<="],
          [">", ">="]
        ],
        // No test hits a bound of real time.
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
    description: "&& turned into ||, some into every, and the other way round",
    rings,
    rules: [
      swap([["&&", "||"]], (any) => `(?<= )${any}(?= )`),
      swap([["some", "every"]], (any) => `(?<=\\.)${any}(?=\\()`)
    ]
  },
  {
    name: "condition",
    description: "the condition of an if negated, or a negation left out",
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
    description: "plus turned into minus, floor into ceil, min into max, and the other way round",
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
    description: "a check before the work left out",
    rings,
    rules: [
      {
        within: "code",
        // What cannot be is a defect with the check or without it.
        pattern: /(?<=^ +)if \(.+\) (?:return yield\* (?!Effect\.die\()|throw ).+$/gm,
        change: ([statement]) => (isBalanced(statement) ? "" : undefined)
      },
      // A pure check answers with what is wrong.
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
    description: "a recorded event left out",
    rings,
    rules: [
      withoutCall(/\bjournal\.record(?:In)?\(/g, "Effect.void"),
      // One of several events. The only event of a record is left out with it, by the rule above.
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
    description: "another status in the response",
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
    description: "a header left out",
    rings: ["http", "hosted", "server", "core", "platform"],
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
    description: "a number that callers can observe: a limit changed by one, a duration ten-fold",
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
    description: "another value where none is given",
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
    description: "true turned into false, and the other way round",
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
    description: "a mark of an endpoint left out, which the surface acts upon",
    rings: ["api"],
    caughtBy: /^test\/(?:wire|access)\//,
    rules: [withoutCall(/\.annotate(?:Endpoints)?\((?=(?!RequiredLevel)[A-Z]\w+, )/g, "")]
  },
  {
    name: "transaction",
    description: "a change made without a transaction of its own",
    rings: ["core", "actors"],
    caughtBy: /^test\/wire\/Atomic/,
    rules: [{ within: "code", pattern: /\btransaction\.run(?=\()/g, change: () => "" }]
  },
  ...sqlOperators
]
