import { findUnencryptedExchange, isThisMachine } from './feed/live/exchangeSettings.ts'

const databaseSettings = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_OWNER_URL'] as const

type Connections = Parameters<typeof findUnencryptedExchange>[0] & {
  [name in (typeof databaseSettings)[number] | 'BUS_URL']?: string | undefined
} & { INTERNAL_TLS: 'required' | 'off' }

/**
 * The setting of an exchange, database or bus beyond this machine whose connection is plain, or whose certificate is not
 * checked, and what it must be; undefined if there is none.
 */
export function findPlainConnection(settings: Connections): string | undefined {
  const exchange = findUnencryptedExchange(settings)
  if (exchange !== undefined) return `${exchange} must be encrypted (wss or https)`
  if (settings.INTERNAL_TLS === 'off') return undefined
  const database = databaseSettings.find((name) => isPlainDatabase(settings[name]))
  if (database !== undefined) return `${database} must have sslmode=verify-full, or INTERNAL_TLS be off,`
  return isPlainBus(settings.BUS_URL) ? 'BUS_URL must begin with tls://, or INTERNAL_TLS be off,' : undefined
}

function isPlainDatabase(address: string | undefined): boolean {
  if (address === undefined) return false
  const { hostname, searchParams } = new URL(address)
  // As pg reads it: the host may be a parameter, and a path is a socket of this machine.
  const host = searchParams.get('host') ?? decodeURIComponent(hostname)
  if (host === '' || host.startsWith('/') || isThisMachine(host)) return false
  return searchParams.get('sslmode') !== 'verify-full'
}

const isPlainBus = (address: string | undefined): boolean =>
  address?.startsWith('nats:') === true && !isThisMachine(new URL(address).hostname)
