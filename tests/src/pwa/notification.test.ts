import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { languages } from '../../../contract/constants.ts'
import { notificationOf, type NotificationTexts } from '../../../src/pwa/notification.ts'

type Pack = { alert: { reached: NotificationTexts } }
const texts = Object.fromEntries(
  languages.map((language) => {
    const pack = readFileSync(join(import.meta.dirname, '../../../locales', `${language}.json`), 'utf8')
    return [language, (JSON.parse(pack) as Pack).alert.reached]
  }),
)
const payload = { kind: 'above', productId: 'BTCUSDT', code: 'BTC/USDT', price: '65000.50' }

it('says in the language of the app what was reached, and opens the product', () => {
  expect(notificationOf(payload, 'en', texts)).toEqual({
    title: 'BTC/USDT rose to 65,000.50',
    options: {
      lang: 'en',
      tag: 'BTCUSDT above 65000.50',
      icon: '/icons/icon-192.png',
      data: { url: '/#/pages/Detail/Detail?id=BTCUSDT' },
    },
  })
  expect(notificationOf({ ...payload, kind: 'below' }, 'de', texts)?.title).toBe(
    'BTC/USDT ist auf 65.000,50 gefallen',
  )
  expect(notificationOf({ ...payload, kind: 'crossing' }, 'zh-CN', texts)?.title).toBe(
    'BTC/USDT 已到达 65,000.50',
  )
})

it.each(languages)('fills the whole text in %s', (language) => {
  for (const kind of ['above', 'below', 'crossing'])
    expect(notificationOf({ ...payload, kind }, language, texts)?.title).not.toMatch(/[{}]/)
})

it('shows English in an unknown language, and nothing for a payload that it does not know', () => {
  expect(notificationOf(payload, 'xx', texts)?.title).toBe('BTC/USDT rose to 65,000.50')
  for (const unknown of [
    undefined,
    null,
    'text',
    {},
    { ...payload, kind: 'order' },
    { ...payload, price: 1 },
  ])
    expect(notificationOf(unknown, 'en', texts)).toBeUndefined()
})
