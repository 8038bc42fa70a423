// @vitest-environment happy-dom
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { epochMs } from '../../../../contract/units.ts'
import { minuteMs } from '../../../../contract/time.ts'
import { OrderRow } from '../../../../src/features/orders/OrderRow.tsx'
import { closedAt } from '../../../../src/features/orders/orderLabels.ts'
import { isResultShown } from '../../../../src/features/orders/shownOutcomes.ts'
import { formatOf } from '../../../../src/text/format.ts'
import { changeLanguage, startI18n } from '../../../../src/text/i18n.ts'
import { session } from '../../../../src/state/session.ts'
import { sampleOrder } from '../../../support/sampleOrder.ts'
import { mount } from '../../ui/mount.tsx'

beforeAll(async () => {
  await startI18n()
  await changeLanguage('en')
  session.appInfo = { zone: 'UTC' } as typeof session.appInfo
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const closeAt = Date.UTC(2026, 6, 3, 23, 59, 59)
const rowOf = async (lateMs: number, tab?: 'closed') => {
  const order = sampleOrder({
    status: 'won',
    pnl: '8.50',
    acceptedAt: epochMs(closeAt - 30_000),
    closeAt: epochMs(closeAt),
    settledAt: epochMs(closeAt + lateMs),
  })
  const { container } = await mount(<OrderRow order={order} product="A/USD" ring={false} tab={tab} />)
  return { text: container.textContent, at: closedAt(order), format: formatOf('en', 'UTC') }
}

it.each([400, 1000, 2 * minuteMs, -5000])(
  'shows the instant at which the page says that the order closed',
  async (lateMs) => {
    const { text, at, format } = await rowOf(lateMs)
    expect(text).toContain(format.time(at))
  },
)

it('shows its day too if the list has it under another one', async () => {
  const { text, at, format } = await rowOf(2 * minuteMs, 'closed')
  expect(text).toContain(format.dateTimeShort(at))
})

/** What the browser says of the sight of a row; at first it is where `top` says. */
const watchedRow = async (top: number) => {
  const rows: ((isIntersecting: boolean) => void)[] = []
  const Observer = class {
    #watch: (entries: Pick<IntersectionObserverEntry, 'isIntersecting'>[]) => void
    constructor(watch: (entries: Pick<IntersectionObserverEntry, 'isIntersecting'>[]) => void) {
      this.#watch = watch
    }
    observe() {
      rows.push((isIntersecting) => this.#watch([{ isIntersecting }]))
    }
    disconnect() {
      rows.length = 0
    }
  }
  vi.stubGlobal('IntersectionObserver', Observer)
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, top, 300, 60))
  const order = sampleOrder({ id: 'seen', status: 'won', pnl: '8.50', settledAt: epochMs(closeAt) })
  const { render } = await mount(<OrderRow order={order} product="A/USD" ring={false} />)
  return { scroll: (isInSight: boolean) => rows[0]?.(isInSight), remove: () => render(null) }
}

it('has shown a result only while it is on the screen', async () => {
  const { scroll, remove } = await watchedRow(100)
  expect(isResultShown('seen')).toBe(true)
  scroll(false)
  expect(isResultShown('seen')).toBe(false)
  scroll(true)
  scroll(true)
  expect(isResultShown('seen')).toBe(true)
  await remove()
  expect(isResultShown('seen')).toBe(false)
})

it('has not shown a result below the screen before it is scrolled to', async () => {
  const { scroll } = await watchedRow(window.innerHeight + 1)
  expect(isResultShown('seen')).toBe(false)
  scroll(true)
  expect(isResultShown('seen')).toBe(true)
})
