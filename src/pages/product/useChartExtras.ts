import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import type { ProductDetail } from '../../../streams/index.ts'
import { indicatorKinds, isOverlay, type Indicator } from '../../chart/indicators/kinds.ts'
import type { LayerFactory } from '../../chart/indicators/layer.ts'
import type { ChartExtras } from '../../chart/port.ts'
import { createLazy } from '../../start/lazy.ts'
import type { ReadoutStore } from '../../chart/readout.ts'
import type { ChartLine } from '../../chart/types.ts'
import { useChartSettings, type LineSetting } from '../../state/chartSettings.ts'
import { toast } from '../../ui/index.ts'
import { useAlertLines } from './useAlertLines.ts'

/** A separate chunk, loaded when the first indicator or line is shown. */
const layer = createLazy<LayerFactory>(
  () => import('../../chart/indicators/layer.ts').then((module) => module.createLayer),
  { name: 'indicators' },
)
const noLines: readonly LineSetting[] = []
/** Each product's page tries again, and would tell a member without a network again that it failed. */
let isFailureTold = false

/**
 * The member's indicators, and what the chart draws of them and of the product's lines and alerts once the code is loaded.
 */
export function useChartExtras(
  product: ProductDetail,
  readout: ReadoutStore,
): {
  indicators: readonly Indicator[]
  /** How many of them are in a pane of their own. */
  panes: number
  extras: ChartExtras | undefined
} {
  const { t } = useTranslation()
  const { id, priceDecimals } = product
  const alerts = useAlertLines(product, readout)
  const settings = useChartSettings()
  const units = settings.lines[id] ?? noLines
  const indicators = useMemo(
    () =>
      indicatorKinds
        .filter((kind) => settings.indicators[kind].on)
        .map((kind) => ({ kind, params: settings.indicators[kind].params })),
    [settings.indicators],
  )
  const lines = useMemo<readonly ChartLine[]>(
    () => [
      ...units.map(({ units: price, name }) => ({
        kind: 'line' as const,
        price: price / 10 ** priceDecimals,
        name,
      })),
      ...alerts,
    ],
    [units, priceDecimals, alerts],
  )
  const isWanted = indicators.length + lines.length > 0
  /** Alerts alone come unasked: that they are not drawn is not told. */
  const isAsked = indicators.length + units.length > 0
  const createLayer = useSyncExternalStore(layer.subscribe, () => layer.value)
  const failed = t('indicators.failed')
  useEffect(() => {
    const load = async () => {
      const { ok } = await layer.get()
      if (!ok && isAsked && !isFailureTold) toast({ kind: 'problem', text: failed })
      isFailureTold = !ok && (isAsked || isFailureTold)
    }
    if (isWanted) void load()
  }, [isWanted, isAsked, failed])
  const extras = useMemo(
    () => (isWanted && createLayer !== undefined ? { createLayer, indicators, lines } : undefined),
    [isWanted, createLayer, indicators, lines],
  )
  const panes = indicators.filter(({ kind }) => !isOverlay(kind)).length
  return { indicators, panes, extras }
}
