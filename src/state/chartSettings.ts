import * as z from 'zod/mini'
import { catch as fallback } from 'zod/mini'
import { useSyncExternalStore } from 'react'
import { subscribe } from 'valtio'
import { areParams, indicatorKinds, indicatorRules, type IndicatorKind } from '../chart/indicators/kinds.ts'
import { createEmitter } from '../lib/emitter.ts'
import { session } from './session.ts'
import { readJson, watchStorage, writeText } from './storage.ts'

/** Lines of one product: more would hide the bars. */
export const linesMax = 10
export const lineNameMax = 20
/** Products with lines; of more, those changed last stay. */
const productsMax = 100

const line = z.object({
  /** In the product's integer price units. */
  units: z.int().check(z.positive()),
  name: z.string().check(z.maxLength(2 * lineNameMax)),
})

const indicatorOf = (kind: IndicatorKind) => {
  const params = [...indicatorRules[kind].params]
  return fallback(
    z.object({
      on: z.boolean(),
      params: fallback(z.array(z.number()).check(z.refine((list) => areParams(kind, list))), params),
    }),
    { on: false, params },
  )
}

const indicators = z.object(
  Object.fromEntries(indicatorKinds.map((kind) => [kind, indicatorOf(kind)])) as Record<
    IndicatorKind,
    ReturnType<typeof indicatorOf>
  >,
)
const stored = z.object({
  indicators: fallback(indicators, z.parse(indicators, {})),
  /** By product. */
  lines: fallback(z.record(z.string(), z.array(line).check(z.maxLength(linesMax))), {}),
})
/** Indicators, which are off at first, and horizontal lines. */
export type ChartSettings = z.infer<typeof stored>
export type IndicatorSetting = ChartSettings['indicators'][IndicatorKind]
export type LineSetting = z.infer<typeof line>

const emitter = createEmitter()
let current: { key: string; settings: ChartSettings } | undefined

/** Kept on this device, for each member who uses it. */
const keyOfMember = (): string => `chart/${(session.token !== null && session.userInfo?.id) || 'guest'}`

/** The chart settings of the member who is logged in. */
export function readChartSettings(): ChartSettings {
  const key = keyOfMember()
  if (current?.key !== key) {
    const raw = readJson(key)
    const settings = z.parse(stored, typeof raw === 'object' && raw !== null ? raw : {})
    current = { key, settings }
  }
  return current.settings
}

function change(settings: ChartSettings): void {
  const key = keyOfMember()
  current = { key, settings }
  writeText(key, JSON.stringify(settings))
  emitter.emit()
}

/** Switches an indicator on or off, or sets its parameters. */
export function setIndicator(kind: IndicatorKind, patch: Partial<IndicatorSetting>): void {
  const { indicators, ...rest } = readChartSettings()
  change({ ...rest, indicators: { ...indicators, [kind]: { ...indicators[kind], ...patch } } })
}

/** Replaces the horizontal lines of a product. */
export function setLines(productId: string, lines: readonly LineSetting[]): void {
  const settings = readChartSettings()
  const others = Object.entries(settings.lines).filter(([id]) => id !== productId)
  const all =
    lines.length === 0 ? others : [...others, [productId, [...lines]] satisfies [string, LineSetting[]]]
  change({ ...settings, lines: Object.fromEntries(all.slice(-productsMax)) })
}

function watch(onChange: () => void): () => void {
  const stops = [
    emitter.subscribe(onChange),
    subscribe(session, onChange),
    watchStorage([keyOfMember()], () => {
      current = undefined
      onChange()
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** {@link readChartSettings}, rendered again when they change. */
export const useChartSettings = (): ChartSettings => useSyncExternalStore(watch, readChartSettings)
