// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'
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
  session.appInfo = null
})

describe('Positions', () => {
  it('shows an empty state on a wide screen once the orders are loaded', async () => {
    expect(await renderedText([], true)).toContain(en.home.noPositions)
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
        newest={[won('b')]}
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
          newest: newestTogether(results),
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

  it('is left behind by the next order, which is in sight', async () => {
    const { streams } = streamsSetup()
    const ended = [end(older)]
    const { render } = await openPage(positions([], ended, ended, false), { streams })
    await render(positions([newer], ended, ended, false))
    expect(texts()).toEqual(['runs', 'Won'])
  })

  it('is not counted as a position', async () => {
    await mount(positions([], [end(newer)], [], true))
    expect(one('h2').textContent?.trim()).toBe(en.product.positions)
  })
})
