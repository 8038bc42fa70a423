// @vitest-environment happy-dom
import { beforeAll, describe, expect, it, vi } from 'vitest'
import i18next from 'i18next'
import { messageKeys } from '../../../contract/content.ts'
import type { MessageKey } from '../../../contract/content.ts'
import { formatOf } from '../../../src/format.ts'
import { unreadIn } from '../../../src/hooks/useUnread.ts'
import { changeLanguage, startI18n } from '../../../src/i18n.ts'
import { messageHref } from '../../../src/pages/message/messageHref.ts'
import { MessageRow } from '../../../src/pages/message/MessageRow.tsx'
import { messageText } from '../../../src/pages/message/messageText.ts'
import type { Message } from '../../../streams/index.ts'
import { click, mount, one } from '../ui/mount.tsx'

beforeAll(() => startI18n())

const facts = { codeOf: (id: string) => (id === 'BTCUSDT' ? 'BTC/USDT' : id), currency: 'USD' }
const params = {
  no: 'UT-1',
  productId: 'BTCUSDT',
  status: 'won',
  pnl: '1234.50',
  amount: '1000.00',
  reason: 'the photo is blurred',
  kind: 'transaction',
}
const messageOf = (more: Partial<Message> = {}): Message => ({
  id: 'm',
  category: 'trade',
  key: 'orderSettled',
  params,
  title: null,
  body: null,
  lang: null,
  at: 0,
  read: false,
  link: 'pages/order/detail?id=o1',
  ...more,
})
const textIn = async (language: 'en' | 'zh-CN', message: Pick<Message, 'key' | 'params'>) => {
  await changeLanguage(language)
  return messageText(i18next.t, formatOf(language), message, facts)
}
const memberMessageKeys = Object.keys(messageKeys).filter(
  (key): key is Exclude<MessageKey, 'desk'> => key !== 'desk',
)

describe('the words of a message', () => {
  it.each(memberMessageKeys)('are there for %s, with every figure that it brings', async (key) => {
    const given = Object.fromEntries(messageKeys[key].params.map((name) => [name, params[name]]))
    for (const language of ['en', 'zh-CN'] as const) {
      const { title, text } = await textIn(language, { key, params: given })
      expect(`${title} ${text}`).not.toMatch(/\{\{|—|message\.of/)
      for (const name of messageKeys[key].params) {
        const shown = { no: 'UT-1', amount: '1,000.00', reason: 'the photo is blurred', pnl: '+1,234.50' }
        const wanted = shown[name as keyof typeof shown]
        if (wanted !== undefined) expect(`${title} ${text}`).toContain(wanted)
      }
    }
  })

  it.each([
    ['en', 'BTC/USDT: Won +1,234.50'],
    ['zh-CN', 'BTC/USDT：盈利 +1,234.50'],
  ] as const)('are those of the language shown (%s)', async (language, title) => {
    expect((await textIn(language, messageOf())).title).toBe(title)
  })

  it('name the rule of a refund, and keep what the desk wrote', async () => {
    const refund = { key: 'orderRefunded', params: { ...params, reason: 'FEED_DOWN' } }
    expect((await textIn('en', refund)).text).toContain('feed was down')
    const other = { key: 'depositFailed', params: { ...params, reason: 'CUSTOM' } }
    expect((await textIn('en', other)).text).toContain('CUSTOM')
  })

  it('say so where this version does not know them', async () => {
    expect((await textIn('en', { key: 'fromTheFuture', params: {} })).title).toBe('New type of message')
    expect((await textIn('en', { key: 'toString', params: {} })).title).toBe('New type of message')
  })

  it('show what is missing or odd as not known', async () => {
    const odd = { key: 'orderSettled', params: { no: 7, pnl: '<b>', status: 'x' } }
    expect(await textIn('en', odd)).toEqual({
      title: '—: x —',
      text: 'Order — has closed. Its proof is ready to check.',
    })
  })
})

describe('where a message leads', () => {
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

describe('a message in the list', () => {
  const row = (message: Message, onRead = vi.fn()) => {
    void changeLanguage('en')
    return mount(<MessageRow message={message} context={facts} now={3_600_000} onRead={onRead} />)
  }

  it('leads to what it is about, and is read by going there', async () => {
    const onRead = vi.fn()
    await row(messageOf(), onRead)
    const link = one('a')
    expect(link.getAttribute('href')).toBe('#/pages/order/detail?id=o1')
    expect(link.textContent).toContain('Unread')
    expect(link.textContent).toMatch(/1 (hr|hour)\.? ago$/)
    await click(link)
    expect(onRead).toHaveBeenCalledWith('m')
  })

  it('that leads nowhere is read by a tap, and then is no button', async () => {
    const onRead = vi.fn()
    const { render } = await row(messageOf({ key: 'welcome', link: null }), onRead)
    await click(one('button'))
    expect(onRead).toHaveBeenCalledOnce()
    const read = messageOf({ key: 'welcome', link: null, read: true })
    await render(<MessageRow message={read} context={facts} now={0} onRead={onRead} />)
    expect(document.querySelector('button, a')).toBeNull()
  })

  it('of the desk stands whole, in its own language', async () => {
    const desk = { key: 'desk', title: 'Feiertag', body: 'Der Markt ist **zu**.', lang: 'de' } as const
    await row(messageOf({ ...desk, link: 'pages/news/news' }))
    expect(one('strong').textContent).toBe('zu')
    expect(one('[lang=de]').textContent).toContain('Feiertag')
    expect(one('a').textContent).toBe('Open')
    expect(one('button').textContent).toBe('Mark as read')
  })
})

describe('what is unread', () => {
  it('counts all, and the answers of customer service among them', () => {
    const reply = messageOf({ key: 'serviceReply' })
    expect(unreadIn([messageOf(), reply, { ...reply, read: true }])).toEqual({ messages: 2, service: 1 })
  })
})
