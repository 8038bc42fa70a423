import { describe, expect, it } from 'vitest'
import { normalizeSearchText, searchTextsOf } from '../../contract/productSearch.ts'

describe('normalizeSearchText', () => {
  it.each([
    ['BTC/USDT', 'btcusdt'],
    ['ＥＵＲ ＵＳＤ', 'eurusd'],
    ['Dollar néo-zélandais', 'dollarneozelandais'],
    ['btc_usdt.perp·x', 'btcusdtperpx'],
    ['比特币 永续合约', '比特币永续合约'],
    ['   ', ''],
  ])('%s becomes %s', (text, expected) => expect(normalizeSearchText(text)).toBe(expected))
})

describe('searchTextsOf', () => {
  it('has the id, the code and each name once', () => {
    const product = { id: 'XAUUSD', code: 'XAU/USD', names: { en: 'Gold', de: 'Gold (Unze)' } }
    expect(searchTextsOf(product)).toEqual(['xauusd', 'xauusd', 'gold', 'gold(unze)'])
  })
})
