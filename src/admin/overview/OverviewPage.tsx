import { Suspense } from "react"
import { Link, useSearchParams } from "wouter"
import type { Statistics } from "#client/generated/types/Statistics"
import type { StatisticsInterval } from "#client/generated/types/StatisticsInterval"
import { useList, useRead } from "../calls/Reads.ts"
import { useRealmId } from "../calls/Scope.tsx"
import { EventText } from "../events/EventCells.tsx"
import { Actor, Subject } from "../events/Subject.tsx"
import { eventTexts } from "../events/Texts.ts"
import { resultText, statusLine } from "../hooks/DeliveryResult.ts"
import { FailingText, useFailingHooks } from "../hooks/Failing.tsx"
import { hookTexts } from "../hooks/Texts.ts"
import { useMailText } from "../session/MailText.ts"
import { useSession } from "../session/SessionState.tsx"
import { pathIn } from "../shell/Paths.ts"
import { useLanguage, useTexts } from "../texts/Language.tsx"
import { Loading } from "../ui/Loading.tsx"
import { PageHeader } from "../ui/PageHeader.tsx"
import { ProblemNote } from "../ui/ProblemNote.tsx"
import { Section } from "../ui/Section.tsx"
import { Table } from "../ui/Table.tsx"
import { Time } from "../ui/Time.tsx"
import { Chart } from "./ChartLoader.tsx"
import { FirstSteps } from "./FirstSteps.tsx"
import { foldedEvents } from "./FoldedEvents.ts"
import { LoginsByMethod } from "./LoginsByMethod.tsx"
import { overviewTexts } from "./Texts.ts"

const DAY = 86_400

const periods = {
  day: { interval: "hour", days: undefined },
  week: { interval: "day", days: undefined },
  month: { interval: "day", days: 30 },
  year: { interval: "month", days: undefined }
} as const

const isPeriod = (text: string | null): text is keyof typeof periods => text !== null && Object.hasOwn(periods, text)

/** The polling interval of the numbers, in milliseconds. */
const REFRESH = 30_000

/**
 * The number of latest events shown, and the number read. More are read, because events that happened together are
 * shown as one.
 */
const RECENT = 8
const READ = 30

type Count = Exclude<keyof StatisticsInterval, "from" | "logins_by_method">

/** What a number or a line of a chart adds up. New users and orgs include those from imports. */
const parts = {
  logins: ["logins"],
  activeUsers: ["active_users"],
  failedLogins: ["failed_logins"],
  usersCreated: ["users_created", "users_imported"],
  orgsCreated: ["orgs_created", "orgs_imported"],
  blocked: ["blocked_users"],
  delivered: ["webhooks_delivered"],
  failed: ["webhooks_failed"],
  mailsSent: ["mails_sent"],
  mailsFailed: ["mails_failed"]
} as const satisfies Record<string, ReadonlyArray<Count>>

const valueIn = (interval: StatisticsInterval, name: keyof typeof parts): number =>
  parts[name].reduce((sum, count) => sum + interval[count], 0)

const sumOf = ({ intervals }: Statistics, name: keyof typeof parts): number =>
  intervals.reduce((sum, interval) => sum + valueIn(interval, name), 0)

const Tiles = ({ tiles }: { readonly tiles: ReadonlyArray<readonly [name: string, value: number]> }) => {
  const number = new Intl.NumberFormat(useLanguage().language)
  return (
    <dl className="tiles">
      {tiles.map(([name, value]) => (
        <div key={name} className="tile">
          <dt>{name}</dt>
          <dd>{number.format(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The current size of the realm, and its activity in the period. */
const Numbers = ({ statistics }: { readonly statistics: Statistics }) => {
  const t = useTexts(overviewTexts)
  const { users, orgs, active_users_day, active_users_month } = statistics.totals
  const inPeriod = ["logins", "failedLogins", "usersCreated", "orgsCreated"] as const
  return (
    <>
      <Tiles
        tiles={[
          [t.users, users],
          [t.orgs, orgs],
          [t.activeDay, active_users_day],
          [t.activeMonth, active_users_month]
        ]}
      />
      <Tiles tiles={inPeriod.map((name) => [t[name], sumOf(statistics, name)])} />
    </>
  )
}

interface AttentionProps {
  readonly statistics: Statistics
  readonly period: keyof typeof periods
}

const Attention = ({ statistics, period }: AttentionProps) => {
  const t = useTexts(overviewTexts)
  const realmId = useRealmId()
  const realm = useRead(["realms", realmId], (sdk) => sdk.realms.get(realmId))
  const blocked = sumOf(statistics, "blocked")
  const isInactive = realm.data?.state === "inactive"
  const { service } = useSession().session
  const h = useTexts(hookTexts)
  const { language } = useLanguage()
  const failing = useFailingHooks() ?? []
  const hasNoProblems = service.deliveries && failing.length === 0 && blocked === 0 && !isInactive
  return (
    <Section title={t.attention}>
      {hasNoProblems ? <p className="faint">{t.allWell}</p> : null}
      <ul className="plain-list">
        {isInactive ? <li>{t.inactive}</li> : null}
        {service.deliveries ? null : <li>{t.held}</li>}
        {failing.map((hook) => (
          <li key={hook.hook_id}>
            {h.lastWeek}{" "}
            <Link href={pathIn(realmId, hook.hook_type === "email" ? "mails" : "hooks", hook.hook_id)}>
              <FailingText hook={hook} />
            </Link>
            <span className="cell-detail">
              {hook.last_destination}
              {hook.last_result === null ? null : ` · ${statusLine(resultText(language, hook.last_result))}`}
            </span>
          </li>
        ))}
        {blocked === 0 ? null : (
          <li>
            <Link href={`${pathIn(realmId, "events")}?event_type=user.blocked`}>
              {t.blocked(blocked, t.within[period])}
            </Link>
          </li>
        )}
        {statistics.truncated ? <li className="faint">{t.truncated}</li> : null}
      </ul>
    </Section>
  )
}

const Recent = () => {
  const t = useTexts(overviewTexts)
  const e = useTexts(eventTexts)
  const realmId = useRealmId()
  const { items } = useList(
    ["events", "recent"],
    (sdk) => sdk.events.list({ max_results: READ, direction: "desc", expand: "display_names" }),
    {
      every: REFRESH
    }
  )
  if (items === undefined || items.length === 0) return null
  return (
    <Section title={t.recent} actions={<Link href={pathIn(realmId, "events")}>{t.allEvents}</Link>}>
      <Table
        label={t.recent}
        items={foldedEvents(items).slice(0, RECENT)}
        keyOf={({ latest }) => latest.id}
        to={({ latest, count, isOneUser }) =>
          count === 1
            ? pathIn(realmId, "events", latest.id)
            : `${pathIn(realmId, "events")}?${new URLSearchParams({
                event_type: latest.event_type,
                ...(isOneUser && latest.user_id !== undefined ? { user_id: latest.user_id } : {})
              })}`
        }
        columns={[
          { name: e.event, cell: ({ latest }) => <EventText event={latest} /> },
          {
            name: e.about,
            cell: ({ latest, count, isOneUser }) =>
              count === 1 ? (
                <Subject event={latest} />
              ) : isOneUser ? (
                <>
                  <Subject event={latest} /> · {t.times(count)}
                </>
              ) : (
                t.times(count)
              )
          },
          { name: e.actor, cell: ({ latest }) => <Actor event={latest} /> },
          { name: e.time, cell: ({ latest }) => <Time at={latest.event_at} isRelative /> }
        ]}
      />
    </Section>
  )
}

/** A realm's recent activity, and everything that needs attention. */
export const OverviewPage = () => {
  const t = useTexts(overviewTexts)
  const ofMail = useMailText()
  const realmId = useRealmId()
  const [search, setSearch] = useSearchParams()
  const chosen = search.get("period")
  const period = isPeriod(chosen) ? chosen : "week"
  const { interval, days } = periods[period]
  const { data, error, refetch } = useRead(
    ["statistics", period],
    async (sdk) => {
      const latest = await sdk.realms.statistics(realmId, { interval })
      return days === undefined ? latest : sdk.realms.statistics(realmId, { interval, from: latest.to - days * DAY })
    },
    { every: REFRESH }
  )
  const times = data?.intervals.map(({ from }) => from) ?? []
  const line = (name: keyof typeof parts) => data?.intervals.map((one) => valueIn(one, name)) ?? []
  return (
    <>
      <PageHeader title={t.overview}>
        <select
          aria-label={t.period}
          value={period}
          onChange={({ target }) => setSearch(target.value === "week" ? {} : { period: target.value })}
        >
          {(["day", "week", "month", "year"] as const).map((one) => (
            <option key={one} value={one}>
              {t.periods[one]}
            </option>
          ))}
        </select>
      </PageHeader>
      <FirstSteps />
      {data === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <ProblemNote error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <>
          <Numbers statistics={data} />
          <div className="columns">
            <Section title={t.loginsChart}>
              <Suspense fallback={<Loading />}>
                <Chart
                  label={t.loginsChart}
                  times={times}
                  series={[
                    { name: t.logins, color: "--accent", values: line("logins") },
                    { name: t.failedLogins, color: "--bad", values: line("failedLogins") },
                    { name: t.usersCreated, color: "--good", values: line("usersCreated") }
                  ]}
                />
              </Suspense>
            </Section>
            <Section title={t.activeChart}>
              <Suspense fallback={<Loading />}>
                <Chart
                  label={t.activeChart}
                  times={times}
                  series={[
                    { name: t.activeUsers[interval], color: "--accent", values: line("activeUsers"), hasNoTotal: true }
                  ]}
                />
              </Suspense>
            </Section>
            <Section title={t.methodsChart}>
              <LoginsByMethod intervals={data.intervals} />
            </Section>
            <Section title={t.deliveriesChart}>
              <Suspense fallback={<Loading />}>
                <Chart
                  label={t.deliveriesChart}
                  times={times}
                  series={[
                    { name: t.delivered, color: "--accent", values: line("delivered") },
                    { name: t.failed, color: "--bad", values: line("failed") },
                    { name: ofMail(t.mailsSent), color: "--good", values: line("mailsSent") },
                    { name: t.mailsFailed, color: "--waiting", values: line("mailsFailed") }
                  ]}
                />
              </Suspense>
            </Section>
          </div>
          <Attention statistics={data} period={period} />
        </>
      )}
      <Recent />
    </>
  )
}
