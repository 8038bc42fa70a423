import * as z from 'zod/mini'
import type { ExchangeSettings } from './exchanges.ts'

const address = (protocol: string) => {
  const error = `must be an address like ${protocol}://host:port, without a path`
  return z.optional(z.string().check(z.refine((value) => isBareAddress(value, protocol), { error })))
}
const plainKey = z.optional(
  z.string().check(z.regex(/^[\x21-\x7e]{1,256}$/, { error: 'must have 1 to 256 plain characters' })),
)

/** The settings of live feeds, as `server/config.ts` reads them. */
export const exchangeEnvironment = {
  EXCHANGE_URL_BINANCE: address('ws'),
  EXCHANGE_URL_BINANCE_USDM: address('ws'),
  EXCHANGE_URL_COINBASE: address('ws'),
  EXCHANGE_URL_KRAKEN: address('ws'),
  EXCHANGE_URL_OANDA: address('http'),
  OANDA_TOKEN: plainKey,
  OANDA_ACCOUNT: z.optional(
    z.string().check(z.regex(/^[\w-]{1,64}$/, { error: 'must be the number of an account' })),
  ),
}
type Values = { [K in keyof typeof exchangeEnvironment]?: string | undefined }

export function readExchangeSettings(values: Values): ExchangeSettings {
  const urls = {
    binance: values.EXCHANGE_URL_BINANCE,
    'binance-usdm': values.EXCHANGE_URL_BINANCE_USDM,
    coinbase: values.EXCHANGE_URL_COINBASE,
    kraken: values.EXCHANGE_URL_KRAKEN,
    oanda: values.EXCHANGE_URL_OANDA,
  }
  return {
    urls: Object.fromEntries(
      Object.entries(urls).flatMap(([name, url]) =>
        url === undefined ? [] : [[name, url.replace(/\/$/, '')]],
      ),
    ),
    oandaToken: values.OANDA_TOKEN ?? null,
    oandaAccount: values.OANDA_ACCOUNT ?? null,
  }
}

/** The setting of an exchange beyond this machine whose prices could be changed in transit; undefined if there is none. */
export function findUnencryptedExchange(values: Values): string | undefined {
  return Object.entries(values).find(
    ([key, value]) => key.startsWith('EXCHANGE_URL_') && value !== undefined && isUnencrypted(value),
  )?.[0]
}

function isUnencrypted(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return (protocol === 'ws:' || protocol === 'http:') && !isThisMachine(hostname)
}

/** Whether the host of an address is this machine by a name or address of the loopback. */
export const isThisMachine = (host: string): boolean => /^(localhost|127\.[\d.]+|\[::1\])$/.test(host)

function isBareAddress(value: string, protocol: string): boolean {
  if (!URL.canParse(value)) return false
  const url = new URL(value)
  const isBare = url.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
  return isBare && (url.protocol === `${protocol}:` || url.protocol === `${protocol}s:`)
}
