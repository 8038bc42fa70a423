// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { epochMs } from '../../../../contract/units.ts'
import en from '../../../../locales/en.json' with { type: 'json' }
import { isResultShown } from '../../../../src/features/orders/shownOutcomes.ts'
import { newestTogether } from '../../../../src/features/orders/together.ts'
import { Positions } from '../../../../src/pages/product/Positions.tsx'
import { openPage } from '../../../support/openPage.tsx'
import { sampleOrder } from '../../../support/sampleOrder.ts'
import { session } from '../../../../src/state/session.ts'
import { streamsSetup } from '../../../support/streamsSetup.ts'
import type { EndedOrder, Order } from '../../../../streams/index.ts'
import { mount, one } from '../../ui/mount.tsx'

const renderedText = async (
  open: readonly Order[] | undefined,
  wide: boolean,
  cards: readonly EndedOrder[] = [],
  badged = false,
): Promise<string> => {
  const results = { cards, fresh: cards, newest: cards }
  await mount(<Positions {...{ open, ...results, wide, badged }} onDismiss={() => undefined} />)
  return document.body.textContent ?? ''
}
const won = (id: string, noticedAt = 1): EndedOrder => ({
  order: sampleOrder({ id, status: 'won', pnl: '80.00' }),
  noticedAt,
})

afterEach(() => {
  vi.restoreAllMocks()
  session.appInfo = null
})

describe('Positions', () => {
  it('shows an empty state on a wide screen once the orders are loaded', async () => {
    expect(await renderedText([], true)).toContain(en.product.noneHere)
  })
  it.each<[what: string, open: readonly Order[] | undefined, wide: boolean]>([
    ['until the orders are loaded', undefined, true],
    ['on a phone', [], false],
  ])('shows no empty state %s', async (_, open, wide) => {
    expect(await renderedText(open, wide)).not.toContain(en.product.positions)
  })
  it('shows a result under its own heading, not under a number of positions', async () => {
    const text = await renderedText([], false, [won('a')])
    expect(text).toContain(en.orders.recentClosed)
    expect(text).toContain('+80.00')
    expect(text).not.toContain(en.product.positions)
  })
  it('has shown how an order ended as long as it is there', async () => {
    const { render } = await mount(
      <Positions
        open={[]}
        cards={[won('a')]}
        fresh={[]}
        newest={[won('a')]}
        wide={false}
        badged={false}
        onDismiss={() => undefined}
      />,
    )
    expect([isResultShown('a'), isResultShown('b')]).toEqual([true, false])
    await render(null)
    expect(isResultShown('a')).toBe(false)
  })
  it.each([
    ['has the practice badge while the ticket is not shown', true],
    ['leaves the practice badge to the ticket', false],
  ])('%s', async (_, badged) => {
    session.appInfo = { mode: 'practice' } as typeof session.appInfo
    expect((await renderedText([], false, [won('a')], badged)).includes(en.common.practice)).toBe(badged)
  })
})

describe('with an order that runs', () => {
  const lineWith = async (...results: EndedOrder[]) => {
    const { streams } = streamsSetup()
    const positions = (
      <Positions
        {...{
          open: [sampleOrder({ id: 'open' })],
          cards: results,
          fresh: [],
          newest: newestTogether(results, 1000),
          wide: false,
          badged: false,
        }}
        onDismiss={() => undefined}
      />
    )
    await openPage(positions, { streams })
    return {
      text: one('[role=status]').textContent,
      href: document.querySelector('[role=status] a')?.getAttribute('href'),
    }
  }
  it('says nothing without a result', async () => expect((await lineWith()).text).toBe(''))
  it('says how the newest one ended', async () =>
    expect(await lineWith(won('b', 2000), won('a'))).toEqual({
      text: 'Won 80.00',
      href: '#/pages/order/detail?id=b',
    }))
  it('says how many ended while nobody watched', async () => {
    const results = ['e', 'd', 'c', 'b', 'a'].map((id) => won(id))
    expect(await lineWith(...results)).toEqual({
      text: '5 orders closed · +400.00',
      href: '#/pages/order/order?tab=closed',
    })
    expect(results.every(({ order }) => isResultShown(order.id))).toBe(true)
  })
})

describe('an order that ends', () => {
  const run = (id: string, acceptedAt: number): Order => sampleOrder({ id, acceptedAt: epochMs(acceptedAt) })
  const end = (order: Order): EndedOrder => ({
    order: { ...order, status: 'won', pnl: '80.00' },
    noticedAt: 1,
  })
  const [older, newer] = [run('older', 1000), run('newer', 2000)]
  const rows = () => [...document.querySelectorAll('li')]
  const texts = () => rows().map(({ textContent }) => (/Won|timer/.exec(textContent) ?? ['runs'])[0])
  const positions = (open: Order[], cards: EndedOrder[], fresh: EndedOrder[], wide: boolean) => (
    <Positions
      {...{ open, cards, fresh, newest: cards.slice(0, 1), wide, badged: false }}
      onDismiss={() => undefined}
    />
  )

  /** The strip shows one card at a time, and the older one is beside it. */
  const showOnlyNewer = () =>
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
      return new DOMRect(this.closest('[data-order=older]') ? 355 : 0, 0, this.matches('ul') ? 390 : 60, 20)
    })

  it.each([
    ['on a phone', false],
    ['on a wide screen', true],
  ])('turns into its result where it stands, %s', async (_, wide) => {
    const { streams } = streamsSetup()
    const { render } = await openPage(positions([newer, older], [], [], wide), { streams })
    const before = rows()
    expect(texts()).toEqual(['runs', 'runs'])
    const ended = [end(older)]
    await render(positions([newer], ended, ended, wide))
    expect(texts()).toEqual(['runs', 'Won'])
    expect(rows()).toEqual(before)
    const both = [end(newer), ...ended]
    // The list may have an order for a moment longer.
    await render(positions([newer], both, both, wide))
    expect(texts()).toEqual(['Won', 'Won'])
    expect(rows()).toEqual(before)
  })

  it('leaves the place to what runs after a moment on a phone, and is told in the line', async () => {
    const { streams } = streamsSetup()
    const ended = [end(newer)]
    const { render } = await openPage(positions([older], ended, ended, false), { streams })
    expect(texts()).toEqual(['Won', 'runs'])
    expect(
      [...document.querySelectorAll('[role=status]')].map(({ textContent }) => textContent),
    ).not.toContain('Won 80.00')
    Object.defineProperty(rows()[1]!, 'offsetLeft', { value: 355 })
    await render(positions([older], ended, [], false))
    expect(texts()).toEqual(['Won', 'runs'])
    expect(one('ul').scrollLeft).toBe(355)
    expect(one('[role=status]').textContent).toBe('Won 80.00')
  })

  it('is told in the line at once if its card is out of sight', async () => {
    const { streams } = streamsSetup()
    const { render } = await openPage(positions([newer, older], [], [], false), { streams })
    showOnlyNewer()
    const ended = [end(older)]
    await render(positions([newer], ended, ended, false))
    expect(one('[role=status]').textContent).toBe('Won 80.00')
    expect(isResultShown('older')).toBe(true)
  })

  it('that is out of sight is told in the line also if nothing runs any more', async () => {
    const { streams } = streamsSetup()
    showOnlyNewer()
    const ended = [end(newer), end(older)]
    await openPage(
      <Positions
        {...{ open: [], cards: ended, fresh: ended, newest: ended, wide: false, badged: false }}
        onDismiss={() => undefined}
      />,
      { streams },
    )
    expect(one('[role=status]').textContent).toBe('2 orders closed · +160.00')
  })

  it('is left behind by the next order, which is in sight', async () => {
    const { streams } = streamsSetup()
    const ended = [end(older)]
    const { render } = await openPage(positions([], ended, ended, false), { streams })
    await render(positions([newer], ended, ended, false))
    expect(texts()).toEqual(['runs', 'Won'])
  })

  it('leaves no head of the time left above results alone', async () => {
    const heads = () => document.querySelector('[aria-hidden=true]')?.textContent
    const { streams } = streamsSetup()
    const ended = [end(older)]
    const { render } = await openPage(positions([newer], ended, ended, true), { streams })
    expect(heads()).toContain(en.order.timeLeft)
    await render(positions([], ended, ended, true))
    expect(heads()).toBe(en.order.amount + en.order.pnl)
  })

  it('says once that it waits for its first price', async () => {
    const { streams } = streamsSetup()
    await openPage(positions([{ ...newer, entry: null }], [], [], false), { streams })
    const text = one('li').textContent
    expect(text).toContain(en.order.waitingShort)
    expect(text).not.toContain(en.order.waiting)
  })

  it('is not counted as a position', async () => {
    await mount(positions([], [end(newer)], [], true))
    expect(one('h2').textContent?.trim()).toBe(en.product.positions)
  })
})

describe('with orders on other products', () => {
  const others = [
    sampleOrder({ id: 'x', productId: 'B', closeAt: epochMs(1_090_000) }),
    sampleOrder({ id: 'y', productId: 'B' }),
  ]
  const openWith = async (open: readonly Order[], wide: boolean, elsewhere: readonly Order[] = others) => {
    const { streams } = streamsSetup()
    const none = { cards: [], fresh: [], newest: [] }
    await openPage(
      <Positions
        {...{ open, ...none, wide, badged: false, others: elsewhere }}
        onDismiss={() => undefined}
      />,
      { streams },
    )
    const links = [...document.querySelectorAll('section a[href$="tab=positions"]')]
    return { text: document.body.textContent, links: links.map(({ textContent }) => textContent) }
  }
  it.each([
    ['on a phone', false],
    ['on a wide screen', true],
  ])(
    'names them where nothing runs on this one, with the time until the next one ends, %s',
    async (_, wide) => {
      const { links } = await openWith([], wide)
      expect(links).toHaveLength(1)
      expect(links[0]).toMatch(/^2 orders on other products.*Time left/)
      expect(links[0]).toContain(en.orders.ifEndedNow)
    },
  )
  it('leads to them from the heading of a phone, without another link to the same list', async () => {
    const { links } = await openWith([sampleOrder()], false)
    expect(links).toHaveLength(1)
    expect(links[0]).toMatch(/^2 elsewhere/)
  })
  it.each([
    ['on a phone', [], false, en.home.noPositions],
    ['in the heading of a phone', [sampleOrder()], false, en.product.all],
    ['on a wide screen', [sampleOrder()], true, en.product.viewAll],
  ])('keeps its place once they have ended, %s', async (_, open, wide, text) => {
    expect((await openWith(open, wide, [])).links).toEqual([text])
  })
})

describe('with several orders that run', () => {
  const textOf = async (count: number) => {
    const { streams } = streamsSetup()
    const entry = { seq: 1, at: epochMs(1_000_001), price: '100.00' }
    const open = Array.from({ length: count }, (_, i) => sampleOrder({ id: `o${i}`, entry }))
    const none = { cards: [], fresh: [], newest: [] }
    await openPage(
      <Positions {...{ open, ...none, wide: false, badged: false }} onDismiss={() => undefined} />,
      { streams },
    )
    return {
      head: one('section > div').textContent,
      isSlim: document.querySelector('[data-slim]') !== null,
      rows: [...document.querySelectorAll('li')].map(({ textContent }) => textContent),
    }
  }
  it('sums up stakes and P&L', async () => {
    const { head, isSlim } = await textOf(2)
    expect(head).toMatch(/Positions 2.*In open orders 20\.00.*Unrealised P&L/)
    expect(isSlim).toBe(false)
  })
  it('sums up nothing if there is one', async () => expect((await textOf(1)).head).not.toContain('10.00'))
  it('has one line for each from three on, which says why it has no P&L', async () => {
    const { isSlim, rows } = await textOf(3)
    expect(isSlim).toBe(true)
    expect(rows[0]).toContain(en.order.pricePaused)
  })
})
