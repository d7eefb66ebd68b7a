import { Suspense } from "react"
import type { StatisticsInterval } from "#client/generated/types/StatisticsInterval"
import { useTexts } from "../texts/Language.tsx"
import { useMethodsName } from "../timeline/LoginMethods.ts"
import { Loading } from "../ui/Loading.tsx"
import { Chart } from "./ChartLoader.tsx"
import { overviewTexts } from "./Texts.ts"

/** The colors of the most used methods. All others share one line. */
const colors = ["--accent", "--good", "--waiting"] as const

/** The logins over time, with a line for each of the most used methods. */
export const LoginsByMethod = ({ intervals }: { readonly intervals: ReadonlyArray<StatisticsInterval> }) => {
  const t = useTexts(overviewTexts)
  const nameOf = useMethodsName()
  const perInterval = intervals.map(
    ({ logins_by_method }) => new Map(logins_by_method.map(({ methods, logins }) => [nameOf(methods), logins]))
  )
  const totals = new Map<string, number>()
  for (const [name, logins] of perInterval.flatMap((counts) => [...counts])) {
    totals.set(name, (totals.get(name) ?? 0) + logins)
  }
  const names = [...totals].toSorted(([, one], [, other]) => other - one).map(([name]) => name)
  const others = names.slice(colors.length)
  const valuesOf = (some: ReadonlyArray<string>) =>
    perInterval.map((counts) => some.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0))
  if (names.length === 0) return <p className="faint">{t.noLogins}</p>
  return (
    <Suspense fallback={<Loading />}>
      <Chart
        label={t.methodsChart}
        times={intervals.map(({ from }) => from)}
        series={[
          ...colors.flatMap((color, index) => {
            const name = names[index]
            return name === undefined ? [] : [{ name, color, values: valuesOf([name]) }]
          }),
          ...(others.length === 0
            ? []
            : [{ name: t.otherMethods, color: "--faint" as const, values: valuesOf(others) }])
        ]}
      />
    </Suspense>
  )
}
