import { useCallback, useState, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { formatUnits } from '../../../contract/price.ts'
import { priceUnits, type PriceUnits } from '../../../contract/units.ts'
import type { ProductDetail } from '../../../streams/index.ts'
import type { MenuRequest } from '../../chart/types.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { copyText } from '../../lib/copyText.ts'
import { createLazy } from '../../start/lazy.ts'
import { useLazyValue } from '../../start/useLazyValue.ts'
import { linesMax, readChartSettings, setLines } from '../../state/chartSettings.ts'
import { useSession } from '../../state/session.ts'
import { toast } from '../../ui/index.ts'
import { usePriceSheet } from './usePriceSheet.tsx'

/** A separate chunk, loaded when it is first opened. */
const pointMenu = createLazy(() => import('../../ui/dialogs/PointMenu.tsx'), { name: 'chartMenu' })

/**
 * The menu of the chart, with what can be done at a price, and the sheet of indicators and lines. If the menu's code does not
 * load, the sheet opens instead.
 * @param full the chart fills the screen
 */
export function useChartMenu(product: ProductDetail, panel: RefObject<HTMLElement | null>, full: boolean) {
  const { t } = useTranslation()
  const { priceDecimals } = product
  const [request, setRequest] = useState<Omit<MenuRequest, 'price'> & { units: PriceUnits | undefined }>()
  const [open, setOpen] = useState(false)
  const container = full ? panel : undefined
  const { sheet: indicatorSheet, openSheet } = usePriceSheet('indicators', product, container)
  const { sheet: alertSheet, openSheet: openAlerts } = usePriceSheet('alert', product, container)
  const itemsAt = useItems(product, openAlerts, openSheet)
  const format = useFormat()
  const module = useLazyValue(pointMenu)
  const openMenu = useCallback(
    ({ price, ...next }: MenuRequest) => {
      const units = price === undefined ? undefined : unitsOf(priceDecimals, price)
      const show = async (): Promise<void> => {
        const { ok } = await pointMenu.get()
        if (!ok) return openSheet(units)
        setRequest({ ...next, units })
        setOpen(true)
      }
      void show()
    },
    [openSheet, priceDecimals],
  )
  const units = request?.units
  const dialogs = (
    <>
      {module && request && (
        <module.PointMenu
          open={open}
          at={request.at}
          label={t('chart.menu')}
          title={units === undefined ? undefined : format.price(units, priceDecimals)}
          items={[
            ...(units === undefined ? [] : itemsAt(units)),
            { label: t('chart.resetView'), onPick: request.reset },
          ]}
          onClose={() => setOpen(false)}
          focusAfter={() => panel.current?.querySelector('figure') ?? null}
          container={container}
        />
      )}
      {alertSheet}
      {indicatorSheet}
    </>
  )
  return { dialogs, openSheet, openMenu }
}

/** Of a price on the axis; undefined where that goes below zero. */
function unitsOf(priceDecimals: number, price: number): PriceUnits | undefined {
  const units = Math.round(price * 10 ** priceDecimals)
  return units > 0 ? priceUnits(units) : undefined
}

/** What can be done at a price. A guest has no alerts. */
function useItems(
  { id, priceDecimals }: ProductDetail,
  openAlerts: (price: PriceUnits) => void,
  openSheet: (price: PriceUnits) => void,
) {
  const { t } = useTranslation()
  const isMember = useSession().token !== null
  return (units: PriceUnits) => {
    const drawLine = () => {
      const lines = readChartSettings().lines[id] ?? []
      // The sheet says that there are too many, and removes one.
      if (lines.length >= linesMax) openSheet(units)
      else setLines(id, [...lines, { units, name: '' }])
    }
    const copyPrice = async () => {
      const isCopied = await copyText(formatUnits(units, priceDecimals))
      toast(
        isCopied
          ? { kind: 'success', text: t('order.copied') }
          : { kind: 'problem', text: t('order.copyFailed') },
      )
    }
    return [
      ...(isMember ? [{ label: t('chart.alertHere'), onPick: () => openAlerts(units) }] : []),
      { label: t('chart.lineHere'), onPick: drawLine },
      { label: t('chart.copyPrice'), onPick: () => void copyPrice() },
    ]
  }
}
