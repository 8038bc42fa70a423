// @vitest-environment happy-dom
import { beforeAll, describe, expect, it, vi } from 'vitest'
import i18next from 'i18next'
import { epochMs } from '../../../contract/units.ts'
import { messageKeys, type MessageKey } from '../../../contract/content.ts'
import { formatOf } from '../../../src/text/format.ts'
import { unreadIn } from '../../../src/hooks/useUnread.ts'
import { changeLanguage, startI18n } from '../../../src/text/i18n.ts'
import { messageHref } from '../../../src/pages/message/messageHref.ts'
import { MessageRow } from '../../../src/pages/message/MessageRow.tsx'
import { messageText } from '../../../src/pages/message/messageText.ts'
import type { Message } from '../../../streams/index.ts'
import { click, mount, one } from '../ui/mount.tsx'

beforeAll(() => startI18n())

const context = { codeOf: (id: string) => (id === 'BTCUSDT' ? 'BTC/USDT' : id), currency: 'USD' }
const params = {
  no: 'UT-1',
  productId: 'BTCUSDT',
  status: 'won',
  pnl: '1234.50',
  amount: '1000.00',
  reversed: '150.00',
  reason: 'the photo is blurred',
  until: String(Date.UTC(2026, 4, 2)),
  kind: 'transaction',
  condition: 'above',
  price: '65000.00',
  device: 'Firefox, Linux',
  name: 'Phone',
  left: '9',
}
const messageOf = (more: Partial<Message> = {}): Message => ({
  id: 'm',
  category: 'trade',
  key: 'orderSettled',
  params,
  title: null,
  body: null,
  lang: null,
  at: epochMs(0),
  read: false,
  link: 'pages/order/detail?id=o1',
  ...more,
})
const textIn = async (language: 'en' | 'zh-CN', message: Pick<Message, 'key' | 'params'>) => {
  await changeLanguage(language)
  return messageText(i18next.t, formatOf(language), message, context)
}
const memberMessageKeys = Object.keys(messageKeys).filter(
  (key): key is Exclude<MessageKey, 'desk'> => key !== 'desk',
)

describe('messageText', () => {
  it.each(memberMessageKeys)('has a text for %s with all of its parameters', async (key) => {
    const messageParams = Object.fromEntries(messageKeys[key].params.map((name) => [name, params[name]]))
    for (const language of ['en', 'zh-CN'] as const) {
      const { title, text } = await textIn(language, { key, params: messageParams })
      expect(`${title} ${text}`).not.toMatch(/\{\{|—|message\.of/)
      for (const name of messageKeys[key].params) {
        const formatted = {
          no: 'UT-1',
          amount: '1,000.00',
          reversed: '150.00 USD',
          reason: 'the photo is blurred',
          pnl: '1,234.50',
        }
        const expected = formatted[name as keyof typeof formatted]
        if (expected !== undefined) expect(`${title} ${text}`).toContain(expected)
      }
    }
  })

  it.each([
    ['en', 'BTC/USDT: Won 1,234.50'],
    ['zh-CN', 'BTC/USDT：盈利 1,234.50'],
  ] as const)('uses the current language (%s)', async (language, title) => {
    expect((await textIn(language, messageOf())).title).toBe(title)
  })

  it.each([
    ['lost', '-15.00', 'BTC/USDT: Lost 15.00'],
    ['tied', '0.00', 'BTC/USDT: Tied'],
  ])('says in the word alone which sign a result has (%s)', async (status, pnl, title) => {
    expect((await textIn('en', messageOf({ params: { ...params, status, pnl } }))).title).toBe(title)
  })

  it('translates the reason of a refund and leaves free text unchanged', async () => {
    const refund = { key: 'orderRefunded', params: { ...params, reason: 'FEED_DOWN' } }
    expect((await textIn('en', refund)).text).toContain('feed was down')
    const other = { key: 'depositFailed', params: { ...params, reason: 'CUSTOM' } }
    expect((await textIn('en', other)).text).toContain('CUSTOM')
  })

  it('has a generic text for an unknown key', async () => {
    expect((await textIn('en', { key: 'fromTheFuture', params: {} })).title).toBe('New type of message')
    expect((await textIn('en', { key: 'toString', params: {} })).title).toBe('New type of message')
  })

  it('shows the results of an hour with their number, their sum and the hour', async () => {
    const at = new Date(2026, 4, 2, 14).getTime()
    const hour = { count: '12', unread: '3', pnl: '-12.50', from: String(at), to: String(at + 3_600_000) }
    expect(await textIn('en', { key: 'resultsOfHour', params: hour })).toEqual({
      title: '12 orders closed · −12.50',
      text: '14:00–15:00',
    })
  })

  it('shows missing or invalid parameters as unknown', async () => {
    const invalid = { key: 'orderSettled', params: { no: 7, pnl: '<b>', status: 'x' } }
    expect(await textIn('en', invalid)).toEqual({
      title: '—: x',
      text: 'Order — has closed. Its proof is ready to check.',
    })
  })
})

describe('messageHref', () => {
  it.each([
    ['pages/order/detail?id=a%20b', '#/pages/order/detail?id=a+b'],
    ['pages/service/service', '#/pages/service/service'],
    ['pages/nowhere/nowhere', undefined],
    ['https://example.com', undefined],
    ['javascript:alert(1)', undefined],
    [null, undefined],
  ])('%s → %s', (link, href) => {
    expect(messageHref(link)).toBe(href)
  })
})

describe('MessageRow', () => {
  const row = (message: Message, onRead = vi.fn()) => {
    void changeLanguage('en')
    return mount(<MessageRow message={message} context={context} now={3_600_000} onRead={onRead} />)
  }

  it('links to its subject and marks the message as read on click', async () => {
    const onRead = vi.fn()
    await row(messageOf(), onRead)
    const link = one('a')
    expect(link.getAttribute('href')).toBe('#/pages/order/detail?id=o1')
    expect(link.textContent).toContain('Unread')
    expect(link.textContent).toMatch(/1 (hr|hour)\.? ago$/)
    await click(link)
    expect(onRead).toHaveBeenCalledWith('m')
  })

  it.each([
    ['priceAlert', 'notice', '#bell-ringing'],
    ['orderSettled', 'trade', '#receipt'],
  ] as const)('has an icon of its own for %s', async (key, category, icon) => {
    await row({ ...messageOf(), key, category })
    expect(one('svg use').getAttribute('href')).toContain(icon)
  })

  it('is a button that marks as read if there is no link, and plain text afterwards', async () => {
    const onRead = vi.fn()
    const { render } = await row(messageOf({ key: 'welcome', link: null }), onRead)
    await click(one('button'))
    expect(onRead).toHaveBeenCalledOnce()
    const read = messageOf({ key: 'welcome', link: null, read: true })
    await render(<MessageRow message={read} context={context} now={0} onRead={onRead} />)
    expect(document.querySelector('button, a')).toBeNull()
  })

  it('shows a message from customer service in full and in its own language', async () => {
    const officeMessage = {
      key: 'desk',
      title: 'Feiertag',
      body: 'Der Markt ist **zu**.',
      lang: 'de',
    } as const
    await row(messageOf({ ...officeMessage, link: 'pages/news/news' }))
    expect(one('strong').textContent).toBe('zu')
    expect(one('[lang=de]').textContent).toContain('Feiertag')
    expect(one('a').textContent).toBe('Open')
    expect(one('button').textContent).toBe('Mark as read')
  })
})

describe('unreadIn', () => {
  it('counts all unread messages, and the service replies among them', () => {
    const reply = messageOf({ key: 'serviceReply' })
    expect(unreadIn([messageOf(), reply, { ...reply, read: true }])).toEqual({ messages: 2, service: 1 })
  })

  it('counts the results of an hour as one', () => {
    const hour = messageOf({ key: 'resultsOfHour', params: { count: '40', unread: '40' } })
    expect(unreadIn([hour, { ...hour, id: 'before', read: true }])).toEqual({ messages: 1, service: 0 })
  })
})
