import { useEffect, useRef } from "react"
import uPlot from "uplot"
import { useColors } from "../shell/Theme.tsx"
import { useLanguage, useTexts } from "../texts/Language.tsx"
import { Table } from "../ui/Table.tsx"
import { Time } from "../ui/Time.tsx"
import { overviewTexts } from "./Texts.ts"

/** A line of a chart. `color` names a CSS custom property. */
export interface Series {
  readonly name: string
  readonly color: "--accent" | "--good" | "--bad" | "--waiting" | "--faint"
  readonly values: ReadonlyArray<number>
  /** Whether the sum of the values is meaningless, as that of active users, who may return. */
  readonly hasNoTotal?: boolean
}

interface ChartProps {
  readonly label: string
  /** In Unix seconds. */
  readonly times: ReadonlyArray<number>
  readonly series: ReadonlyArray<Series>
}

const DAY = 86_400

const HEIGHT = 200

/** The width of a time label on the axis, in pixels. */
const TICK = 64

/** A time series, as a chart and as a table. */
export const Chart = ({ label, times, series }: ChartProps) => {
  const t = useTexts(overviewTexts)
  const { language } = useLanguage()
  const colors = useColors()
  const frame = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const element = frame.current
    if (element === null) return
    const style = getComputedStyle(element)
    // A canvas needs the computed color rather than the declared one.
    const probe = document.createElement("span")
    element.append(probe)
    const color = (name: string) => {
      probe.style.color = `var(${name})`
      return getComputedStyle(probe).color
    }
    const [faint, line] = [color("--faint"), color("--line")]
    const gap = (times[1] ?? 0) - (times[0] ?? 0)
    const day = { day: "numeric", month: "short", timeZone: "UTC" } as const
    const month = { month: "short", year: "2-digit", timeZone: "UTC" } as const
    const longer = gap > DAY ? month : day
    const format = new Intl.DateTimeFormat(language, gap < DAY ? { hour: "2-digit", minute: "2-digit" } : longer)
    const axis = {
      stroke: faint,
      grid: { stroke: line, width: 1 },
      ticks: { stroke: line, width: 1 },
      font: `12px ${style.fontFamily}`
    }
    const step = Math.ceil((times.length * TICK) / Math.max(TICK, element.clientWidth - 2 * TICK))
    const ticks = times.filter((_, index) => index % step === 0)
    const whole = new Intl.NumberFormat(language)
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        cursor: { y: false },
        legend: { show: false },
        scales: { x: { time: false }, y: { range: (_, __, top) => [0, Math.max(4, Math.ceil(top * 1.15))] } },
        axes: [
          {
            ...axis,
            splits: () => ticks,
            values: (_, splits) => splits.map((at) => format.format(at * 1000)),
            grid: { show: false }
          },
          {
            ...axis,
            size: 48,
            values: (_, splits) => splits.map((value) => (Number.isInteger(value) ? whole.format(value) : ""))
          }
        ],
        series: [
          {},
          ...series.map((one) => ({ label: one.name, stroke: color(one.color), width: 2, points: { size: 6 } }))
        ]
      },
      [[...times], ...series.map(({ values }) => [...values])],
      element
    )
    probe.remove()
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [times, series, language, colors])

  return (
    <figure className="chart" aria-label={label}>
      <ul className="legend">
        {series.map(({ name, color, values, hasNoTotal = false }) => (
          <li key={name}>
            <span className={`swatch ${color.slice(2)}`} aria-hidden />
            {name}
            {hasNoTotal ? null : (
              <strong>{new Intl.NumberFormat(language).format(values.reduce((sum, one) => sum + one, 0))}</strong>
            )}
          </li>
        ))}
      </ul>
      <div ref={frame} className="plot" aria-hidden />
      <details>
        <summary>{t.asTable}</summary>
        <Table
          label={label}
          items={times.map((at, index) => ({ at, index }))}
          keyOf={({ at }) => String(at)}
          columns={[
            { name: t.time, cell: ({ at }) => <Time at={at} /> },
            ...series.map(({ name, values }) => ({
              name,
              isRight: true,
              cell: ({ index }: { readonly index: number }) => values[index] ?? 0
            }))
          ]}
        />
      </details>
    </figure>
  )
}
