import * as z from 'zod/mini'
import { isThisMachine } from '../../../platform/settingValues.ts'
import type { ExchangeName, ExchangeSettings } from './exchanges.ts'

const address = (protocol: string) => {
  const error = `must be an address like ${protocol}://host:port, without a path`
  return z.optional(z.string({ error }).check(z.refine((value) => isBareAddress(value, protocol), { error })))
}

/** The access to OANDA, in the environment as it is secret. */
export const exchangeEnvironment = {
  OANDA_TOKEN: z.optional(
    z.string().check(z.regex(/^[\x21-\x7e]{1,256}$/, { error: 'must have 1 to 256 plain characters' })),
  ),
  OANDA_ACCOUNT: z.optional(
    z.string().check(z.regex(/^[\w-]{1,64}$/, { error: 'must be the number of an account' })),
  ),
}

/** Addresses in CONFIG_FILE that replace those of exchanges. */
export const exchangeAddresses = z.strictObject({
  binance: address('ws'),
  'binance-usdm': address('ws'),
  coinbase: address('ws'),
  kraken: address('ws'),
  oanda: address('http'),
} satisfies Record<ExchangeName, unknown>)
type Addresses = z.infer<typeof exchangeAddresses>

export function readExchangeSettings(
  addresses: Addresses,
  access: { [K in keyof typeof exchangeEnvironment]?: string | undefined },
): ExchangeSettings {
  return {
    urls: Object.fromEntries(
      Object.entries(addresses).flatMap(([name, url]) =>
        url === undefined ? [] : [[name, url.replace(/\/$/, '')]],
      ),
    ),
    oandaToken: access.OANDA_TOKEN ?? null,
    oandaAccount: access.OANDA_ACCOUNT ?? null,
  }
}

/** The exchange at an address beyond this machine whose prices could be changed in transit; undefined if there is none. */
export const findUnencryptedExchange = (addresses: Addresses): string | undefined =>
  Object.entries(addresses).find(([, value]) => value !== undefined && isUnencrypted(value))?.[0]

function isUnencrypted(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return (protocol === 'ws:' || protocol === 'http:') && !isThisMachine(hostname)
}

function isBareAddress(value: string, protocol: string): boolean {
  if (!URL.canParse(value)) return false
  const url = new URL(value)
  const isBare = url.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
  return isBare && (url.protocol === `${protocol}:` || url.protocol === `${protocol}s:`)
}
